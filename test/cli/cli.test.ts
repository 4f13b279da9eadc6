import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { temporaryFolder } from "../temporary.js";
import { bracken, MAIN, ROOT } from "./run.js";

const GOLD = "test/fixtures/gold.mrg";
const PREDICTED = "test/fixtures/predicted.txt";
const folder = temporaryFolder();

describe("help and bad use", () => {
  test("--help lists every command with its line and its example", async () => {
    const { code, stdout } = await bracken(["--help"]);
    expect(code).toBe(0);
    for (const { name, summary, example } of COMMANDS) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} .*${summary.slice(0, 20)}`, "m"));
      expect(stdout).toContain(example);
    }
  });

  test.each(COMMANDS.map(({ name }) => name))(
    "%s --help shows options and two examples",
    async (name) => {
      const { code, stdout } = await bracken([name, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain("Options:");
      const examples = stdout.split("Examples:\n")[1]?.trim().split("\n") ?? [];
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect((await bracken(["help", name])).stdout).toBe(stdout);
    },
  );

  test("--version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect((await bracken(["--version"])).stdout).toBe(`${version}\n`);
  });

  test("an unknown command suggests the nearest", async () => {
    const { code, stderr, stdout } = await bracken(["evalute", "a", "b"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Did you mean evaluate?");
  });

  test.each([
    [["evaluate", GOLD]],
    [["evaluate", GOLD, PREDICTED, "--protocol", "parseval"]],
    [["evaluate", GOLD, PREDICTED, "--trials", "-5"]],
    [["evaluate", GOLD, PREDICTED, "--no-such-option"]],
    [["evaluate", "-", "-"]],
    [["baseline", "middle", GOLD]],
    [["baseline", "all", GOLD]],
    [["convert", GOLD, "--format", "docx"]],
    [[]],
  ])("bad use %j: exit code 2, a message on stderr, nothing on stdout", async (args) => {
    const { code, stdout, stderr } = await bracken(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).not.toBe("");
    expect(stderr).not.toContain("    at ");
  });
});

describe("bad input: place, remedy, exit code 2, no stack, no output", () => {
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test.each([
    [
      "malformed",
      write("bad.mrg", "(S (NN a))\n(S (NN b)"),
      "bad.mrg:2:1: this bracket is never closed",
    ],
    ["missing", join(folder, "none.mrg"), "none.mrg: no such file, folder or pattern"],
    [
      "not UTF-8",
      write("latin.mrg", Buffer.from("(S (NN caf\xe9))", "latin1")),
      "latin.mrg:1: not valid UTF-8",
    ],
    [
      "cut gzip",
      write("cut.mrg.gz", gzipSync(readFileSync(join(ROOT, GOLD))).subarray(0, 200)),
      "gzip",
    ],
    [
      "bad JSON",
      write("bad.jsonl", '{"tokens": ["a"], "spans": []}\n{"tokens": 3}'),
      'bad.jsonl:2: "tokens"',
    ],
  ])("%s", async (_, file, message) => {
    const output = join(folder, "out.txt");
    const { code, stdout, stderr } = await bracken(["convert", file, "-o", output]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n").length).toBe(2);
    expect(existsSync(output)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("an empty folder says what it looked for", async () => {
    const { code, stderr } = await bracken(["convert", "docs"]);
    expect(code).toBe(2);
    expect(stderr).toContain(".mrg");
  });

  test("an output folder that is not there", async () => {
    const { code, stderr } = await bracken([
      "convert",
      GOLD,
      "-o",
      join(folder, "no/such/out.txt"),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no such folder");
  });
});

describe("evaluate", () => {
  test("text and JSON agree, and name the protocol", async () => {
    const text = await bracken([
      "evaluate",
      GOLD,
      PREDICTED,
      "-p",
      "nob",
      "--labels",
      "--by-length",
    ]);
    const json = await bracken([
      "evaluate",
      GOLD,
      PREDICTED,
      "-p",
      "nob",
      "--labels",
      "--by-length",
      "--json",
    ]);
    const report = JSON.parse(json.stdout);
    expect(report).toMatchObject({ protocol: "nob", sentences: 9, skipped: 2 });
    expect(text.stdout).toContain("protocol     nob\npunctuation  penn\nsentence F1  70.24\n");
    expect(report.sentenceF1).toBeCloseTo(70.238, 3);
    expect(report.labels[0]).toMatchObject({ label: "NP", found: 4, gold: 6 });
  });

  test("the gold and predicted treebank may be gzipped, and one may come from stdin", async () => {
    const gold = join(folder, "gold.mrg.gz");
    writeFileSync(gold, gzipSync(readFileSync(join(ROOT, GOLD))));
    const input = gzipSync(readFileSync(join(ROOT, PREDICTED)));
    const { stdout, code } = await bracken(["evaluate", gold, "-", "--json"], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).sentences).toBe(9);
  });

  test("--against compares two systems", async () => {
    const other = join(folder, "right.txt");
    await bracken(["baseline", "right", GOLD, "-o", other]);
    const { stdout } = await bracken([
      "evaluate",
      GOLD,
      PREDICTED,
      "--against",
      other,
      "--json",
      "--trials",
      "500",
    ]);
    const { significance, against, sentenceF1 } = JSON.parse(stdout);
    expect(significance.sentenceF1.difference).toBeCloseTo(sentenceF1 - against.sentenceF1, 9);
    expect(significance.sentenceF1.p).toBeGreaterThan(0.05);
    const text = await bracken([
      "evaluate",
      GOLD,
      PREDICTED,
      "--against",
      other,
      "--trials",
      "500",
    ]);
    expect(text.stdout).toMatch(/sentence F1 +[+-]\d+\.\d\d +[+-]\d+\.\d\d to [+-]\d+\.\d\d +\d/);
  });

  test("--labelled compares labels: scores, labels, confusion, paired tests", async () => {
    const gold = join(folder, "labelled-gold.mrg");
    const [ours, theirs] = [join(folder, "ours.mrg"), join(folder, "theirs.mrg")];
    const tree = "(S (NP (PRP He)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .))\n";
    writeFileSync(gold, tree.repeat(8));
    writeFileSync(ours, tree.repeat(8));
    writeFileSync(theirs, tree.replaceAll("VP", "NP").repeat(8));
    const args = ["evaluate", gold, theirs, "--labelled", "--one-word", "--labels", "--confusion"];
    const { stdout, code } = await bracken([
      ...args,
      "--against",
      ours,
      "--trials",
      "200",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      sentenceF1: 100,
      labelled: {
        oneWord: true,
        sentenceF1: expect.closeTo(200 / 3, 9),
        labels: [
          { label: "NP", precision: 50, recall: 100 },
          { label: "VP", recall: 0 },
        ],
        oneWordLabels: [{ label: "NP", f1: 100 }],
        foundSpans: { spans: 24, confusion: [{}, { gold: "VP", predicted: { NP: 8 } }] },
      },
      against: { labelled: { sentenceF1: 100 } },
      significance: {
        sentenceF1: { difference: 0 },
        labelled: { sentenceF1: { difference: expect.closeTo(-100 / 3, 9) } },
      },
    });
    const text = await bracken([...args, "--against", ours, "--trials", "200"]);
    expect(text.stdout).toMatch(/^first - second, labelled +difference.*\nsentence F1 +-33\.33/m);
    const evalb = await bracken(["evaluate", gold, theirs, "-p", "evalb"]);
    expect(evalb.stdout).toMatch(/^bracketing F1 +75\.00 +75\.00$/m);
  });

  test.each([
    [["--one-word"], "--one-word is for labelled scores"],
    [["--confusion"], "--confusion is for labelled scores"],
    [["--induced"], "--induced is for labelled scores"],
    [["--labelled"], "the predicted trees have no labels to compare"],
    [["--protocol", "evalb"], "the predicted trees have no labels to compare"],
  ])("%j with trees that have no labels", async (flags, message) => {
    const { code, stdout, stderr } = await bracken(["evaluate", GOLD, PREDICTED, ...flags]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error: ${message}`);
  });

  test("mismatched files show the first difference", async () => {
    const { code, stderr } = await bracken([
      "evaluate",
      GOLD,
      GOLD.replace("gold.mrg", "predicted-words.txt"),
      "-p",
      "kim",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    const swapped = await bracken(["evaluate", PREDICTED, GOLD]);
    expect(swapped.code).toBe(0);
    const bad = await bracken(["evaluate", GOLD, "-"], { input: "(X (DT The) (NN dog))" });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain(
      'standard input:1: token 2 differs: "dog" in the prediction, in the gold tree "cat"',
    );
  });
});

describe("baseline", () => {
  test("trees printed score what --evaluate says", async () => {
    for (const kind of ["left", "right", "random", "punctuation", "upper-bound"]) {
      const shared = [GOLD, "-p", "nob", "--with-punctuation"];
      const trees = await bracken(["baseline", kind, ...shared, "--seed", "3"]);
      const scored = await bracken(["evaluate", GOLD, "-", "-p", "nob", "--json"], {
        input: trees.stdout,
      });
      const rows = await bracken([
        "baseline",
        kind,
        ...shared,
        "--seed",
        "3",
        "--seeds",
        "1",
        "--evaluate",
        "--json",
      ]);
      expect(JSON.parse(rows.stdout).rows[0].sentenceF1.mean).toBeCloseTo(
        JSON.parse(scored.stdout).sentenceF1,
        9,
      );
    }
  });

  test("the table has the paper's rows, mean and max for random trees", async () => {
    const { stdout } = await bracken(["baseline", "all", GOLD, "--evaluate"]);
    for (const row of [
      "Random trees (5 seeds)",
      "Left branching",
      "Right branching",
      "Upper bound",
    ]) {
      expect(stdout).toContain(row);
    }
    expect(stdout).toContain(
      "protocol kim, punctuation penn, trees over words; 9 sentences scored, 2 skipped",
    );
  });
});

describe("convert", () => {
  test.each(["penn", "pretty", "json", "conllu-misc"])(
    "%s reads back as the same trees",
    async (format) => {
      const once = await bracken(["convert", GOLD, "--format", format]);
      const twice = await bracken(["convert", "-", "--format", "penn"], { input: once.stdout });
      expect(twice.stdout).toBe((await bracken(["convert", GOLD])).stdout);
    },
  );

  test("categories, unwrap, collapse, limit, unescape", async () => {
    const { stdout } = await bracken([
      "convert",
      GOLD,
      "--unwrap",
      "--categories",
      "--collapse",
      "--limit",
      "2",
    ]);
    expect(stdout).toBe(
      "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .))\n" +
        "(S (PRP We) (VP (VBP know) (NP (DT the) (NN way))))\n",
    );
    const json = await bracken(["convert", "-", "--unescape", "-f", "json"], {
      input: "(NP (-LRB- -LRB-) (NN a))",
    });
    expect(JSON.parse(json.stdout).tokens).toEqual(["(", "a"]);
  });

  test("folders and patterns are read in the order of their paths", async () => {
    for (const name of ["b.mrg", "a.mrg", "c.tree", "notes.txt"]) {
      writeFileSync(join(folder, `order-${name}`), `(NN ${name})`);
    }
    const { stdout } = await bracken(["convert", `${folder}/order-*.{mrg,tree}`]);
    expect(stdout).toBe("(NN a.mrg)\n(NN b.mrg)\n(NN c.tree)\n");
  });
});

describe("streams", () => {
  const sentence = readFileSync(join(ROOT, PREDICTED), "utf8");

  test("100,000 trees are scored in bounded memory", async () => {
    const repeat = Math.ceil(100_000 / 11);
    const files = ["many-gold.mrg", "many-predicted.txt"].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    writeFileSync(files[0], readFileSync(join(ROOT, GOLD), "utf8").repeat(repeat));
    writeFileSync(files[1], sentence.repeat(repeat));
    const { code, stdout, stderr } = await bracken(["evaluate", ...files, "--json"], {
      nodeOptions: ["--max-old-space-size=48"],
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).sentences).toBe(repeat * 9);
  });

  test("a reader that stops early ends the command quietly", async () => {
    const child = spawn(
      "sh",
      ["-c", `"${process.execPath}" "${MAIN}" convert - | head -n 1; echo "\${PIPESTATUS}"`],
      {
        cwd: ROOT,
      },
    );
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(sentence.repeat(3000));
    await new Promise((resolve) => child.on("close", resolve));
    expect(out.split("\n")[0]).toBe(sentence.split("\n")[0]);
    expect(err).toBe("");
  });

  test("no colour where standard error is no terminal", async () => {
    const { stderr } = await bracken(["convert", "none"]);
    expect(stderr).not.toContain("\u001b");
  });
});
