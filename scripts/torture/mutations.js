// Inputs of every reader, altered at random. Each is given to the command, which must end with 0, 1 or 2,
// without a stack trace, within ten seconds. A child process runs many commands one after the other,
// since starting one for each would take hours; the last argument of a failure repeats it.

import { fork } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { writeManifest } from "../../dist/model/save.js";
import { writeTiny } from "./tiny.js";

const FIXTURES = fileURLToPath(new URL("../../test/", import.meta.url));
const LIMIT_MS = 10_000;

function seeds(model) {
  const trees = readFileSync(join(FIXTURES, "fixtures/gold.mrg"));
  const record = { tokens: ["the", "old", "man", "sat"], brackets: [[0, 3]], source: "s", id: "1" };
  const more = {
    weights: [2],
    kinds: ["answer"],
    text: "the old man sat",
    offsets: [
      [0, 3],
      [4, 7],
      [8, 11],
      [12, 15],
    ],
  };
  const jsonl = Buffer.from(`${JSON.stringify({ ...record, ...more })}\n`.repeat(8));
  const html =
    "<html><body><h1>T</h1><p>See <a href='x'>the old man</a> by <b>a door</b>. He ran.</p></body>";
  const markdown =
    "---\ntitle: x\n---\n# T\n\nSee [the old man](x) by **a door**. He `ran` {{< ref x >}}.\n";
  const xml = readFileSync(join(FIXTURES, "extract/links/fixtures/multistream.xml.bz2"));
  const page =
    "<mediawiki><siteinfo></siteinfo><page><title>A</title><ns>0</ns><id>1</id><revision><text>The [[old man]] sat. {{cite}}</text></revision></page></mediawiki>";
  const conllu = "# x\n1\tthe\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n";
  const common = ["-m", model, "--threads", "1"];
  return [
    { name: "trees", ending: "mrg", bytes: trees, args: (file) => ["convert", file, "-f", "json"] },
    { name: "evaluate", ending: "mrg", bytes: trees, args: (file) => ["evaluate", file, file] },
    {
      name: "trees.gz",
      ending: "mrg.gz",
      bytes: gzipSync(trees),
      args: (file) => ["convert", file],
    },
    {
      name: "jsonl",
      ending: "jsonl",
      bytes: jsonl,
      args: (file) => ["extract", "jsonl", file, "--clean", "--english"],
    },
    { name: "stats", ending: "jsonl.gz", bytes: gzipSync(jsonl), args: (file) => ["stats", file] },
    { name: "auto", ending: "json", bytes: jsonl, args: (file) => ["extract", "auto", file] },
    {
      name: "html",
      ending: "html",
      bytes: Buffer.from(html.repeat(3)),
      args: (file) => ["extract", "html", file, "--threads", "1"],
    },
    {
      name: "markdown",
      ending: "md",
      bytes: Buffer.from(markdown.repeat(3)),
      args: (file) => ["extract", "markdown", file, "--threads", "1"],
    },
    {
      name: "bz2",
      ending: "xml.bz2",
      bytes: xml,
      args: (file) => ["extract", "wikipedia", file, "--threads", "1"],
    },
    {
      name: "xml",
      ending: "xml",
      bytes: Buffer.from(page),
      args: (file) => ["extract", "wikipedia", file, "--threads", "1"],
    },
    {
      name: "wikitext",
      ending: "wiki",
      bytes: Buffer.from(
        "The [[old man|man]] ''sat''. {{a|b}} [http://x y] <ref>z</ref>\n* [[b]]\n",
      ),
      args: (file) => ["extract", "wikitext", file, "--threads", "1"],
    },
    {
      name: "text",
      ending: "txt",
      bytes: Buffer.from("The old man sat. [A dog] ran.\n\nYes.\n"),
      args: (file) => ["parse", file, "--constrain", "--max-tokens", "100", ...common],
    },
    {
      name: "conllu",
      ending: "conllu",
      bytes: Buffer.from(conllu.repeat(3)),
      args: (file) => ["parse", file, "-f", "conllu-misc", "--max-tokens", "100", ...common],
    },
    {
      name: "model",
      folder: model,
      args: (folder) => ["parse", "the dog", "-m", folder, "--threads", "1"],
    },
    {
      name: "log",
      ending: "jsonl",
      bytes: Buffer.from(
        '{"step":1,"loss":2,"violations":1,"gradientNorm":1,"rate":1,"seconds":1}\n'.repeat(4),
      ),
      args: (file) => ["plot", file],
    },
  ];
}

/** One to eight of: a byte flipped, bytes cut out, doubled, swapped in from elsewhere, or the end gone. */
function mutate(bytes, random) {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random.below(8); left > 0 && changed.length > 1; left--) {
    const at = random.below(changed.length);
    const size = 1 + random.below(Math.min(64, changed.length - at));
    const piece = changed.subarray(at, at + size);
    const kind = random.below(6);
    if (kind === 0) changed[at] = random.below(256);
    else if (kind === 1)
      changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + size)]);
    else if (kind === 2)
      changed = Buffer.concat([changed.subarray(0, at), piece, changed.subarray(at)]);
    else if (kind === 3) changed = changed.subarray(0, at);
    else if (kind === 4)
      changed = Buffer.concat([
        changed.subarray(0, at),
        ODD[random.below(ODD.length)],
        changed.subarray(at),
      ]);
    else
      changed = Buffer.concat([
        changed.subarray(0, at),
        ...Array(1 + random.below(200)).fill(piece),
        changed.subarray(at),
      ]);
  }
  return changed;
}

const ODD = [
  "((((",
  "))))",
  "[[",
  "{{",
  "<b><i>",
  "\0",
  "\ufeff",
  '{"tokens":',
  "-1",
  "1e999",
  "NaN",
  "\u{1f9ea}",
].map((text) => Buffer.from(text));

export async function mutations(count, random, folder) {
  mkdirSync(folder, { recursive: true });
  const { model } = await writeTiny(folder);
  const all = seeds(model);
  const child = new Runner();
  const counts = {};
  const failures = [];
  for (let done = 0; done < count; done++) {
    const seed = all[done % all.length];
    const path = seed.folder
      ? await mutateFolder(seed.folder, folder, random)
      : join(folder, `in.${seed.ending}`);
    if (!seed.folder) writeFileSync(path, mutate(seed.bytes, random));
    const { code, problem } = await child.run(seed.args(path));
    counts[seed.name] ??= { 0: 0, 1: 0, 2: 0 };
    if (problem) failures.push({ input: seed.name, number: done, problem });
    else counts[seed.name][code] += 1;
  }
  child.stop();
  return { counts, failures };
}

/** A copy of the model in which one file is altered; half of the time the manifest is made to match. */
async function mutateFolder(model, folder, random) {
  const copy = join(folder, "altered");
  rmSync(copy, { recursive: true, force: true });
  cpSync(model, copy, { recursive: true });
  const names = readdirSync(copy);
  const name = names[random.below(names.length)];
  writeFileSync(join(copy, name), mutate(readFileSync(join(copy, name)), random));
  if (random.coin() && name !== "manifest.json") await writeManifest(copy);
  return copy;
}

/** Runs commands in a child process, which is started anew if it dies or does not answer in time. */
class Runner {
  #child;

  async run(args) {
    this.#child ??= fork(fileURLToPath(new URL("./command-child.js", import.meta.url)), {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const child = this.#child;
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(
        () => resolve({ problem: `no end in ${LIMIT_MS / 1000} s` }),
        LIMIT_MS,
      );
      const settle = (found) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(found);
      };
      child.once("message", settle);
      child.once("exit", (code, signal) =>
        settle({ problem: `the process died: ${code ?? signal}` }),
      );
      child.send(args);
    });
    if (answer.problem && !answer.isAlive) this.stop();
    return answer;
  }

  stop() {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}
