/**
 * Question-answer data inside tar archives: each file of a known extension becomes an input of its own.
 * Documents are not read this way: links/ reads them from archives one by one, however large they are.
 */

import { InputError } from "../errors.js";
import { isRegularFile, type OpenOptions, type Part, readParts } from "../files/input.js";
import { isTar, readTar } from "../files/tar.js";
import { ArchivedText, LARGEST_TEXT, TextInput } from "../files/text-input.js";

/** The inputs that files stand for: themselves, or what is in them if they are archives. */
export async function openArchives(
  files: readonly string[],
  extensions: readonly string[],
  options: OpenOptions,
): Promise<TextInput[]> {
  const inputs: TextInput[] = [];
  for (const file of files) {
    const members = await readMembers(file, extensions, options);
    inputs.push(...(members ?? [new TextInput(file, options)]));
  }
  return inputs;
}

/** The files in an archive, in the order of their names; undefined if it is none. */
async function readMembers(
  file: string,
  extensions: readonly string[],
  options: OpenOptions,
): Promise<TextInput[] | undefined> {
  if (!(await isArchive(file))) return undefined;
  const members: ArchivedText[] = [];
  let total = 0;
  for await (const entry of readTar(readParts(file, options), file)) {
    if (!extensions.some((extension) => entry.name.endsWith(extension))) continue;
    total += entry.size;
    if (total > LARGEST_TEXT) throw tooMuch(file);
    const path = entry.name.replace(/^(?:\.\/)+/, "");
    members.push(new ArchivedText(`${file}/${path}`, await contents(entry.parts())));
  }
  if (members.length > 0) return members.sort((a, b) => (a.name < b.name ? -1 : 1));
  throw new InputError(
    "this archive has no file of a known kind",
    { file },
    `expected names ending in ${extensions.join(", ")}; name the source if these are pages`,
  );
}

/** Pipes are taken for what they seem to be: they could not be read again. */
async function isArchive(file: string): Promise<boolean> {
  if (!(await isRegularFile(file))) return false;
  for await (const { bytes } of readParts(file)) return isTar(bytes);
  return false;
}

async function contents(parts: AsyncIterable<Part>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of parts) pieces.push(bytes);
  return Buffer.concat(pieces);
}

function tooMuch(file: string): InputError {
  return new InputError(
    `over ${LARGEST_TEXT >> 20} MB of data in one archive`,
    { file },
    `unpack it first: tar -xf ${file}`,
  );
}
