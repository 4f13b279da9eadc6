/** Reads the keys of clients from a file or the environment. Only their hashes are kept. */

import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { InputError } from "../errors.js";

/** Shorter ones can be guessed. */
const SHORTEST = 16;

export class ApiKeys {
  readonly #hashes: readonly Buffer[];

  /** @throws InputError for a key that is too short or that no header can carry. */
  constructor(keys: readonly string[], file?: string) {
    for (const [index, key] of keys.entries()) {
      if (key.length >= SHORTEST && /^[!-~]+$/.test(key)) continue;
      throw new InputError(
        `key ${index + 1} is not ${SHORTEST} or more ASCII characters without blanks`,
        { file },
        "make one with: openssl rand -hex 24",
      );
    }
    this.#hashes = keys.map(hash);
  }

  /** The name of the key in an `Authorization` header: the beginning of its hash, which tells nothing of it. */
  find(authorization: string | undefined): string | undefined {
    const given = hash(keyOf(authorization ?? ""));
    let found: string | undefined;
    // Always compares with all keys, so that the time reveals nothing.
    for (const known of this.#hashes) {
      if (timingSafeEqual(known, given)) found = known.toString("hex", 0, 4);
    }
    return found;
  }
}

/** `Bearer KEY`, or `Basic` with the key as the password, which is how browsers send it. */
function keyOf(authorization: string): string {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return "";
  return Buffer.from(value, "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "");
}

function hash(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/**
 * The keys of a file, one per line, and those of a list, separated by commas or white space.
 * @returns Nothing where neither is given.
 */
export async function readApiKeys(
  file: string | undefined,
  list: string | undefined,
): Promise<ApiKeys | undefined> {
  const listed = (list ?? "").split(/[\s,]+/).filter(Boolean);
  if (file === undefined) return listed.length > 0 ? new ApiKeys(listed) : undefined;
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`the keys cannot be read (${error.code})`, { file }, "one key per line");
  });
  const lines = text.split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length === 0)
    throw new InputError("there is no key in it", { file }, "one key per line");
  return new ApiKeys([...keys, ...listed], file);
}
