/** The requests of docs/service.md, sent as they stand there. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeTinyCorpus } from "../annotate/tiny-corpus.js";
import { ROOT } from "../cli/run.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { type Served, serveWith } from "./serving.js";

const folder = temporaryFolder();
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn('SKIPPED: "requests of the document" needs curl');

const text = readFileSync(join(ROOT, "docs/service.md"), "utf8");
const commands = Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = ""]) => block)
  .join("\n")
  .replaceAll("\\\n", " ")
  .split("\n")
  .map((line) => line.replace(/\s+#\s.*$/, "").trim())
  .filter((line) => line.startsWith("curl "));

let service: Served | undefined;

/** With the bundled model, one that names phrases, a finished run called "mine", a file of keys and a corpus. */
async function start(): Promise<Served> {
  const run = join(folder, "mine");
  mkdirSync(join(run, "training"), { recursive: true });
  writeFileSync(join(run, "manifest.json"), "{}");
  writeFileSync(join(run, "training", "log.jsonl"), '{"step": 10, "loss": 1}\n');
  writeFileSync(join(folder, "api-keys"), "a-key-for-the-document\n");
  const named = join(folder, "named");
  renameSync(await writeTinyModel(folder, { labels: TINY_LABELS }), named);
  writeTinyCorpus(join(folder, "corpus.txt"));
  const models = ["--model", "default", "--model", named];
  const asked = ["--annotate", join(folder, "my.jsonl"), "--corpus", join(folder, "corpus.txt")];
  return serveWith({}, "--port", "0", "--threads", "1", "--watch", folder, ...models, ...asked);
}

describe.skipIf(!hasCurl)("requests of the document", () => {
  test("there are some", () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  test.each(commands)("%s", async (command) => {
    service ??= await start();
    const own = command
      .replace(/^curl /, "curl -sS --fail-with-body ")
      .replaceAll("localhost:8080", `localhost:${service.port}`);
    const { status, stdout, stderr } = spawnSync("bash", ["-c", own], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/\S/), ""]);
    expect(stdout).not.toContain('"error"');
  });
});
