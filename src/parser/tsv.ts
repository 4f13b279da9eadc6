/** Lines of tables with tabs between the cells, for the command and the page. */

/** A line of a table. Numbers have four decimal places at most. */
export function tsvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(toCell).join("\t")}\n`;
}

/** A cell holds no tab and no line break. */
export function toCell(value: string | number | undefined): string {
  const rounded = typeof value === "number" ? Number(value.toFixed(4)) : (value ?? "");
  return String(rounded).replace(/\s+/g, " ");
}
