/** Whose rules the text of a dump is read by. */

import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readArticleSite, readSite, siteLanguage } from "../../../src/extract/links/site.js";
import { bracken } from "../../cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { dump, page, run } from "./helpers.js";

const folder = temporaryFolder();

const header = (lang: string, database: string) =>
  `<mediawiki${lang}>\n<siteinfo>${database}</siteinfo>\n`;

describe("the language that a dump names", () => {
  test.each([
    ["de", header(' xml:lang="de"', "<dbname>dewiki</dbname>")],
    ["en", header(' xml:lang="en"', "<dbname>simplewiki</dbname>")],
    ["nl", header("", "<dbname>nlwiki</dbname>")],
    ["be-x-old", header("", "<dbname>be_x_oldwiki</dbname>")],
    ["und", header("", "<dbname>zh_yuewiki</dbname>")],
    ["pl", header(' xml:lang="pl"', "")],
    ["en", header("", "")],
    ["und", header(' xml:lang="?"', "")],
  ])("%s", (code, text) => {
    expect(siteLanguage(readSite(text)).code).toBe(code);
  });

  test("in the first article, where there is one a line", () => {
    const line = '{"name": "Hund", "in_language": {"identifier": "de"}, "identifier": 7}';
    expect(siteLanguage(readArticleSite(line)).name).toBe("German");
    expect(siteLanguage(readArticleSite('{"name": "Dog"}')).name).toBe("English");
  });
});

test("a dump in a language without a grammar: the command says so and leaves nothing", async () => {
  const dumpFile = join(folder, "it.xml");
  const out = join(folder, "it.jsonl");
  writeFileSync(dumpFile, dump(page(1, "Ecco [[la casa]].")).replaceAll("en", "it"));
  for (const threads of ["1", "2"]) {
    const args = ["extract", "wikipedia", dumpFile, "--threads", threads, "-o", out];
    const { code, stderr } = await bracken([...args, "--english"]);
    expect(code).toBe(2);
    expect(stderr).toContain("no rules for the phrases of Italian (it)");
    expect(stderr).not.toContain("partial");
    expect(readdirSync(folder).filter((name) => name.startsWith("it.jsonl"))).toEqual([]);
    expect((await bracken(args)).code).toBe(0);
    rmSync(out);
  }
});

describe("runs", () => {
  const text = "Am 3. Mai Opa's Fest für [[das alte Haus]].";
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const german = write("de.xml", dump(page(1, text)).replaceAll("en", "de"));
  const english = write("en.xml", dump(page(1, text)));
  const article = {
    name: "Mai",
    identifier: 7,
    in_language: { identifier: "de" },
    article_body: { wikitext: text },
  };
  const articles = write("de.ndjson", `${JSON.stringify(article)}\n`);
  const GERMAN = ["Am", "3.", "Mai", "Opa's", "Fest", "für", "das", "alte", "Haus", "."];

  test("follow the dump, or what they are told", async () => {
    const tokens = async (file: string, language?: string) =>
      (await run([file], { settings: { language } })).records.map((record) => record.tokens);
    expect(await tokens(german)).toEqual([GERMAN]);
    expect(await tokens(articles)).toEqual([GERMAN]);
    expect(await tokens(english, "de")).toEqual([GERMAN]);
    expect((await tokens(english))[0]).toEqual(["Mai", "Opa", "'s", ...GERMAN.slice(4)]);
  });

  test("refuse rules about phrases where the language has no grammar, bad pages passed over or not", async () => {
    for (const skipBad of [false, true]) {
      for (const file of [german, articles]) {
        const settings = { takeDeterminers: true, skipBad };
        await expect(run([file], { settings })).rejects.toThrow(
          "there are no rules for the phrases of German (de)",
        );
      }
    }
    const { records } = await run([english], { settings: { takeDeterminers: true } });
    expect(records).toHaveLength(1);
  });
});
