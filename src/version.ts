/** The version of this package. */

import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const path = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
