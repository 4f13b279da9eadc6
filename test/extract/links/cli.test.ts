/** `bracken extract` for links, as a user runs it: threads, shards, a killed process. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bracken, runAndKill } from "../../cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { dump, fixture, page } from "./helpers.js";
import { tar } from "./tar.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const TEXT = "The [[red deer]] ran over the hill. ";

describe("threads and shards", () => {
  test.each(["blocks", "multistream", "cut-streams"])("%s: any number of threads", async (name) => {
    const outcomes = await Promise.all(
      ["1", "2", "5"].map((workers) =>
        bracken(["extract", "wikipedia", fixture(name), "--threads", workers]),
      ),
    );
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(outcomes.map(({ stdout }) => stdout)).size).toBe(1);
    expect(new Set(outcomes.map(({ stderr }) => stderr)).size).toBe(1);
    expect(outcomes[0]?.stderr).toContain("120 pages, ");
  });

  test("shards of a sample over threads", async () => {
    const common = ["extract", "wikipedia", fixture("blocks"), "--sample", "30%", "--seed", "4"];
    const whole = await bracken([...common, "--threads", "1"]);
    const shards = await Promise.all(
      ["1/3", "2/3", "3/3"].map((shard) =>
        bracken([...common, "--shard", shard, "--threads", "2"]),
      ),
    );
    expect(shards.map(({ stdout }) => stdout).join("")).toBe(whole.stdout);
    expect(whole.stdout).not.toBe("");
  });

  test("standard input, compressed or not", async () => {
    const bytes = readFileSync(fixture("multistream"));
    const piped = await bracken(["extract", "wikipedia", "-", "--threads", "2"], { input: bytes });
    const named = await bracken(["extract", "wikipedia", fixture("multistream")]);
    expect(piped.stdout).toBe(named.stdout);
    const cut = await bracken(["extract", "wikipedia", "-", "--shard", "1/2"], { input: bytes });
    expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining("write it to a file")]);
    const auto = await bracken(["extract", "auto", "-"], { input: dump(page(1, TEXT)) });
    expect(JSON.parse(auto.stdout)).toMatchObject({ source: "wikipedia", page: { id: "1" } });
  });
});

describe("sites", () => {
  test("folders and archives; kinds of marks", async () => {
    const source = "See [the old page](x.html) and *the new one*.\n";
    mkdirSync(at("site"));
    writeFileSync(at("site/b.md"), source);
    writeFileSync(at("site/a.md"), source);
    writeFileSync(at("site/c.txt"), source);
    writeFileSync(at("site.tar.gz"), gzipSync(tar({ "a.md": source, "c.txt": source })));
    const links = await bracken(["extract", "markdown", at("site"), at("site.tar.gz")]);
    const records = links.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ id }) => id)).toEqual([at("site/a.md:0"), at("site/b.md:0"), "a.md:0"]);
    const both = await bracken(["extract", "markdown", at("site"), "--kinds", "link,emphasis"]);
    expect(JSON.parse(both.stdout.split("\n")[0] as string)).toMatchObject({
      kinds: ["link", "emphasis"],
      targets: ["x.html", ""],
    });
    const unknown = await bracken(["extract", "markdown", at("site"), "--kinds", "lnik"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("parenthesis")]);
  });

  test("pages that nobody has translated are left out, and what is not sure stays", async () => {
    mkdirSync(at("german"));
    const pages = {
      "a.md": "Die Kinder gingen gestern durch [den alten Park](x.html) wieder nach Hause.\n",
      "b.md": "The children went home through [the old park](x.html) in the evening.\n",
      "c.md": "[Berlin Mitte](x.html) 2019.\n",
    };
    for (const [name, text] of Object.entries(pages)) writeFileSync(at(`german/${name}`), text);
    const command = ["extract", "markdown", at("german"), "--language", "de", "--same-language"];
    for (const threads of ["1", "2"]) {
      const { stdout, stderr } = await bracken([...command, "--threads", threads]);
      const ids = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id);
      expect(ids).toEqual([at("german/a.md:0"), at("german/c.md:0")]);
      expect(stderr).toContain("1 sentences in another language");
    }
  });

  test("what is to be compared with all others is refused, with the way to do it", async () => {
    for (const option of [["--merge", "text"], ["--drop-near-duplicates"]]) {
      const { code, stderr } = await bracken([
        "extract",
        "wikipedia",
        fixture("blocks"),
        ...option,
      ]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("bracken extract jsonl")]);
    }
    const { stdout } = await bracken(["extract", "wikipedia", fixture("blocks"), "--clean"]);
    const united = await bracken(["extract", "jsonl", "-", "--drop-near-duplicates"], {
      input: stdout,
    });
    const [line = ""] = united.stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({ page: { id: "1" }, targets: [expect.any(String)] });
    expect(united.stdout.length).toBeLessThan(stdout.length);
  });
});

describe("errors keep what was before them", () => {
  const bad = dump(page(1, TEXT), page(2, TEXT).replace("</text>", ""), page(3, TEXT));

  test("in the partial file, or on standard output", async () => {
    writeFileSync(at("bad.xml"), bad);
    const output = at("bad.jsonl");
    const stopped = await bracken(["extract", "wikipedia", at("bad.xml"), "-o", output]);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain("“Page 2” has a <text> that is never closed");
    expect(stopped.stderr).toContain("bad.jsonl.partial");
    expect(existsSync(output)).toBe(false);
    expect(readFileSync(`${output}.partial`, "utf8").trim().split("\n")).toHaveLength(1);
    const tolerant = await bracken([
      "extract",
      "wikipedia",
      at("bad.xml"),
      "-o",
      output,
      "--skip-bad",
    ]);
    expect([tolerant.code, tolerant.stderr]).toEqual([0, expect.stringContaining("skipped: 1")]);
    expect(readFileSync(output, "utf8").trim().split("\n")).toHaveLength(2);
    expect(existsSync(`${output}.partial`) || existsSync(`${output}.progress`)).toBe(false);
    const piped = await bracken(["extract", "wikipedia", "-"], { input: bad });
    expect([piped.code, piped.stdout.trim().split("\n").length]).toEqual([2, 1]);
  });
});

describe("a killed run", () => {
  const large = at("large.xml");
  const output = at("large.jsonl");
  const command = ["extract", "wikipedia", large, "-o", output, "--threads", "2"];

  test("goes on without loss or duplicate, with any number of threads", async () => {
    const pages = Array.from({ length: 4000 }, (_, id) =>
      page(id, `${TEXT}No. ${id}. `.repeat(100)),
    );
    writeFileSync(large, dump(...pages));
    await runAndKill(command, output);
    expect(existsSync(output)).toBe(false);
    const saved = JSON.parse(readFileSync(`${output}.progress`, "utf8"));
    expect(saved.state.counts.pages).toBeGreaterThan(0);
    expect(saved.state.counts.pages).toBeLessThan(4000);
    await runAndKill(command, output);
    const other = await bracken([...command, "--all-sentences"]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("other options")]);
    const last = await bracken([...command.slice(0, -1), "1"]);
    expect([last.code, last.stderr]).toEqual([0, expect.stringContaining("4000 pages, ")]);
    const resumed = readFileSync(output, "utf8");
    rmSync(output);
    const whole = await bracken(command);
    expect(resumed === readFileSync(output, "utf8")).toBe(true);
    expect(last.stderr).toBe(whole.stderr);
  }, 180_000);
});
