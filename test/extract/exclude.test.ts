/** Whatever form the sentences to leave out have, they are recognised. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readExcluded } from "../../src/extract/exclude.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const tree = "(S (NP (DT the) (NN dog)) (VP (VBD ran)))";
const tokens = ["the", "dog", "ran"];
const spans = [{ begin: 0, end: 2, label: "NP" }];

test.each([
  ["Penn", tree],
  ["Penn after comments", `% gold\n# made by hand\n\n${tree}`],
  ["JSON trees", JSON.stringify({ tokens, spans })],
  ["Bracketings", JSON.stringify({ tokens, brackets: [[0, 2]] })],
  [
    "CoNLL-U",
    "# x\n1\tthe\t_\t_\t_\t_\t_\t_\t_\tTree=(X*\n2\tdog\t_\t_\t_\t_\t_\t_\t_\tTree=*\n3\tran\t_\t_\t_\t_\t_\t_\t_\tTree=*)\n",
  ],
  ["text", "the dog ran"],
  ["text under a heading", "# Dogs\nthe dog ran"],
])("%s", async (_, content) => {
  const file = join(folder, "excluded");
  const other = join(folder, "other");
  writeFileSync(file, `${content}\n`);
  writeFileSync(other, "the dog ran\n");
  const keys = await readExcluded([file]);
  for (const key of await readExcluded([other])) expect(keys).toContain(key);
});
