/** Tables in plain text: aligned columns and percentages. */

/** Rows in columns: the first flush left, the others flush left too, two blanks apart. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A share as a percentage with two decimals. */
export function percent(share: number): string {
  return (share * 100).toFixed(2);
}
