/** The parts of a plan, joined, are what one plain run writes: same bytes, for every command, form and packing. */

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Progress } from "../../src/display/progress.js";
import { runExtract } from "../../src/extract/run.js";
import { ModelFolder } from "../../src/model/folder.js";
import { planDistil } from "../../src/plans/distil-job.js";
import { planExtract } from "../../src/plans/extract-job.js";
import type { PlannedJob } from "../../src/plans/jobs.js";
import { planParse } from "../../src/plans/parse-job.js";
import { workOnNext } from "../../src/plans/work.js";
import type { InputFormat } from "../../src/runs/inputs.js";
import { parseFiles } from "../../src/runs/parse-files.js";
import { writeOutcome } from "../../src/runs/parse-writer.js";
import { distil } from "../../src/training/distil.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { packings } from "./packing.js";
import { CONTEXT, gathered, openWorker, writeParts } from "./run-plan.js";

const folder = temporaryFolder();
let model: string;

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

/** The output of a plan, after as many parts as could be made. */
async function byParts(job: PlannedJob, count: number) {
  const plan = mkdtempSync(join(folder, "plan-"));
  const { parts } = await writeParts(plan, job, count);
  const worker = await openWorker(plan);
  await workOnNext(worker);
  await worker.close();
  return { parts, bytes: await gathered(plan) };
}

const sentence = (index: number) =>
  Array.from({ length: 1 + ((index * 7) % 9) }, (_, at) => WORDS[(index + at) % 12] as string);
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

const FORMS: Readonly<Record<InputFormat, string>> = {
  text: many(
    400,
    (at) => `${sentence(at).join(" ")}. ${at % 5 === 0 ? "\n\n" : at % 3 === 0 ? "\n" : ""}`,
  ),
  lines: many(400, (at) => (at % 7 === 0 ? "\n" : `${sentence(at).join(" ")}\r\n`)),
  tokens: many(400, (at) => `${sentence(at).join("\t")}\n`),
  jsonl: many(400, (at) =>
    at % 50 === 3 ? "no JSON\n" : `${JSON.stringify({ tokens: sentence(at) })}\n`,
  ),
  conllu: many(
    200,
    (at) =>
      `# n ${at}\n${sentence(at)
        .map((word, n) => `${n + 1}\t${word}\n`)
        .join("")}\n`,
  ),
  penn: many(300, (at) => (at % 9 === 0 ? "(())\n" : `(S (X ${sentence(at).join(") (X ")}))\n`)),
};

const WRITE = { format: "json", scores: true, punct: true } as const;

async function parseWhole(inputs: readonly { name: string; format: InputFormat }[]) {
  const out = join(folder, "whole");
  const job = { inputs, models: [model], precision: "fp32", parse: {}, write: WRITE, out } as const;
  const writer = () => ({
    write: (outcome: Parameters<typeof writeOutcome>[0]) => writeOutcome(outcome, WRITE),
  });
  await parseFiles(job, writer, new Progress({ unit: "sentences" }), () => {});
  return readFileSync(out);
}

describe("parse", () => {
  const settings = { precision: "fp32", parse: {}, write: WRITE } as const;

  test.each(Object.keys(FORMS) as InputFormat[])("%s, packed in every way", async (format) => {
    for (const [ending, bytes] of packings(Buffer.from(FORMS[format]))) {
      const name = join(folder, `${format}${ending}`);
      writeFileSync(name, bytes);
      const inputs = [{ name, format }];
      const { parts, bytes: joined } = await byParts(
        await planParse(inputs, [model], settings, CONTEXT),
        6,
      );
      expect(joined.equals(await parseWhole(inputs)), ending).toBe(true);
      // A file of one bzip2 block is one part.
      if (!ending.endsWith("bz2")) expect(parts.length, ending).toBe(6);
      const works = parts.map(({ work }) => work);
      expect(Math.max(...works), ending).toBeLessThan(1.5 * (Math.min(...works) + 400));
    }
  });

  test("several files, some of them empty, in any number of parts", async () => {
    const files = fc.array(
      fc.record({
        format: fc.constantFrom<InputFormat>("lines", "text", "jsonl", "penn"),
        size: fc.constantFrom(0, 1, 20, 90),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 40 }), async (chosen, count) => {
        const inputs = chosen.map(({ format, size }, at) => {
          const name = join(folder, `several-${at}`);
          writeFileSync(
            name,
            FORMS[format]
              .split(/(?<=\n)/)
              .slice(0, size)
              .join(""),
          );
          return { name, format };
        });
        const job = await planParse(inputs, [model], settings, CONTEXT);
        const { bytes } = await byParts(job, count);
        expect(bytes.equals(await parseWhole(inputs))).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});

describe("extract", () => {
  const pages = many(300, (at) => {
    const prose = `See [[Page ${at}|${sentence(at).join(" ")}]] by the door. It ran. `.repeat(3);
    return `<page><title>P${at}</title><ns>0</ns><id>${at + 1}</id><revision><text>${prose}</text></revision></page>\n`;
  });
  const dump = `<mediawiki xml:lang="en">\n<siteinfo></siteinfo>\n${pages.repeat(8)}</mediawiki>\n`;

  test("a dump, packed in every way, with a report that adds up", async () => {
    for (const [ending, bytes] of packings(Buffer.from(dump))) {
      const name = join(folder, `dump.xml${ending}`);
      writeFileSync(name, bytes);
      const out = join(folder, `links${ending}.jsonl`);
      const report = await runExtract([name], { source: "wikipedia", sample: 0.5 }, out);
      const job = await planExtract([name], "wikipedia", { sample: 0.5 }, CONTEXT);
      const { parts, bytes: joined } = await byParts(job, 3);
      expect(joined.equals(readFileSync(out)), ending).toBe(true);
      expect(parts.length, ending).toBeGreaterThan(1);
      expect(joined.toString().split("\n").length - 1).toBe(report.written);
    }
  });

  test("pages in files of their own", async () => {
    const names = Array.from({ length: 40 }, (_, at) => {
      const name = join(folder, `page-${at}.md`);
      writeFileSync(name, `# T\n\nSee [the old man ${at}](x) by the door, twice.\n`);
      return name;
    });
    const out = join(folder, "pages.jsonl");
    await runExtract(names, { source: "markdown" }, out);
    const job = await planExtract(names, "markdown", {}, CONTEXT);
    const { parts, bytes } = await byParts(job, 7);
    expect(bytes.equals(readFileSync(out))).toBe(true);
    expect(parts.length).toBe(7);
  });

  test("sentences that are left out, and answers, which cannot be cut", async () => {
    const [name, without, out] = ["dump.xml", "without.txt", "some.jsonl"].map((each) =>
      join(folder, each),
    );
    writeFileSync(without as string, `See ${sentence(5).join(" ")} by the door.\n`);
    const options = { exclude: [without as string] };
    await runExtract([name as string], { source: "wikipedia", ...options }, out);
    const job = await planExtract([name as string], "wikipedia", options, CONTEXT);
    const { bytes } = await byParts(job, 2);
    expect(bytes.equals(readFileSync(out as string))).toBe(true);
    expect(bytes.includes(`"P5"`)).toBe(false);
    const data = join(folder, "answers.jsonl");
    writeFileSync(
      data,
      `${JSON.stringify({ tokens: ["a", "b"], brackets: [], source: "s", id: "1" })}\n`,
    );
    await expect(planExtract([data], "jsonl", {}, CONTEXT)).rejects.toThrow(
      "cannot be cut into parts",
    );
  });
});

test("distil, packed in every way", async () => {
  const records = many(500, (at) =>
    at % 40 === 1
      ? "\n"
      : `${JSON.stringify({ tokens: sentence(at), brackets: [], source: "s", id: `${at}` })}\n`,
  );
  const settings = {
    costFactor: 3,
    least: 0.02,
    maxTokens: 8,
    labels: true,
    precision: "fp32",
  } as const;
  for (const [ending, bytes] of packings(Buffer.from(records))) {
    const name = join(folder, `data.jsonl${ending}`);
    writeFileSync(name, bytes);
    const out = join(folder, `soft${ending}.jsonl`);
    await distil([name], [await ModelFolder.open(model)], out, { ...settings, threads: 1 });
    const { parts, bytes: joined } = await byParts(
      await planDistil([name], [model], settings, CONTEXT),
      5,
    );
    expect(joined.equals(readFileSync(out)), ending).toBe(true);
    if (!ending.endsWith("bz2")) expect(parts.length).toBe(5);
  }
});
