/** Renders a table as text for a terminal, or as Markdown for a document. */

import { alignColumns } from "../display/columns.js";
import type { Table } from "./tables.js";

export function renderText({ title, head, rows, notes }: Table): string {
  return [
    title,
    "",
    alignColumns([head, ...rows]),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
}

export function renderMarkdown({ title, head, rows, notes }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [
    `**${title}**`,
    "",
    line(head),
    `|${head.map(() => "---").join("|")}|`,
    ...rows.map(line),
    ...notes.flatMap((note) => ["", escapeCell(note)]),
  ].join("\n");
}

function escapeCell(text: string): string {
  return text.trim().replace(/[|*]/g, "\\$&");
}
