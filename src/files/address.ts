/** Files elsewhere, by their addresses. Only plans read them, since workers need not have them on their disks. */

import { InputError } from "../errors.js";

/** Whether the name is that of a file on the web or in object storage. */
export function isAddress(name: string): boolean {
  return /^(?:https?|s3):\/\//.test(name);
}

/** @throws InputError for addresses, where files of this machine are read. */
export function refuseAddress(name: string): void {
  if (!isAddress(name)) return;
  throw new InputError(
    "only plans can read files from the web",
    { file: name },
    "download it first, or see bracken plan --help",
  );
}
