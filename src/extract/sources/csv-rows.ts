/** The rows of a CSV file by the names of its columns, with their lines. */

import { parse } from "csv-parse/sync";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";

export type CsvRow = Readonly<Record<string, string | undefined>>;

/** The value in a column, or an error that names it; `remedy` says which columns such files have. */
export function csvColumn(row: CsvRow, name: string, place: Place, remedy: string): string {
  const value = row[name];
  if (value !== undefined) return value;
  throw new InputError(`the column "${name}" is missing`, place, remedy);
}

export async function readCsvRows(input: TextInput): Promise<{ row: CsvRow; place: Place }[]> {
  try {
    // A row may lack its last columns or have empty ones too many: who reads it says what it needs.
    const options = { columns: true, info: true, bom: true } as const;
    const lenient = { relax_column_count: true, skip_empty_lines: true };
    const rows = parse(await input.text(), { ...options, ...lenient }) as unknown as {
      record: CsvRow;
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({
      row: record,
      place: { file: input.name, line: info.lines },
    }));
  } catch (error) {
    const { message, lines } = error as { message: string; lines?: number };
    throw new InputError(
      message,
      { file: input.name, line: lines },
      "check that the file is complete",
    );
  }
}
