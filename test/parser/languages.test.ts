/** The way of a text through the library, from its language to its tree. */

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toParseRecord } from "../../src/index.js";
import { newModelConfig } from "../../src/model/config.js";
import { chooseRoute } from "../../src/parser/from-text.js";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { leaves } from "../../src/trees/tree.js";
import { TEN_LANGUAGES } from "../languages/ten-languages.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { TINY_CONFIG } from "../training/tiny-encoder.js";

const folder = temporaryFolder();
const CODES = Object.keys(TEN_LANGUAGES);
let english: Parser;
let multi: Parser;

beforeAll(async () => {
  const options = { threads: 1, workers: 0 };
  english = await loadParser(await writeTinyModel(join(folder, "en")), options);
  const several = await writeTinyModel(join(folder, "multi"), { language: CODES });
  multi = await loadParser(several, options);
});
afterAll(() => Promise.all([english.close(), multi.close()]));

describe("a model of ten languages", () => {
  test.each(Object.entries(TEN_LANGUAGES))("%s: %s", async (code, text) => {
    const document = await multi.parseText(text);
    expect(document).toMatchObject({ language: code, supported: true });
    // One sentence, also where "3." would end one in English.
    const [parse] = document.sentences;
    expect(document.sentences).toHaveLength(1);
    const words = leaves(parse?.tree as NonNullable<typeof parse>["tree"]).map(({ word }) => word);
    expect(words.join("")).toBe(text.replaceAll(" ", ""));
    expect(words.length).toBeGreaterThanOrEqual(9);
    expect(toParseRecord(parse as NonNullable<typeof parse>)).toMatchObject({ language: code });
    expect(parse).not.toHaveProperty("supported");
  });

  test("its languages are a list in its configuration", () => {
    expect(newModelConfig(TINY_CONFIG, { language: ["en", "DE"] })).toMatchObject({
      language: "en",
      languages: ["en", "de"],
    });
    expect(newModelConfig(TINY_CONFIG)).toMatchObject({ language: "en", languages: ["en"] });
    for (const language of [[], ["en", 1], "english"] as never[]) {
      expect(() => newModelConfig(TINY_CONFIG, { language })).toThrow("must be a language code");
    }
  });
});

describe("a model of English", () => {
  test("parses German, and says that it does not know it", async () => {
    const document = await english.parseText(TEN_LANGUAGES.de as string);
    expect(document).toMatchObject({ language: "de", supported: false });
    expect(document.sentences).toHaveLength(1);
    for (const parse of document) {
      expect(toParseRecord(parse)).toMatchObject({ language: "de", supported: false });
    }
  });

  test("says nothing about English", async () => {
    const document = await english.parseText(TEN_LANGUAGES.en as string);
    expect(document).toMatchObject({ language: "en", supported: true });
    const [parse] = document.sentences;
    expect(Object.keys(toParseRecord(parse as NonNullable<typeof parse>))).not.toContain(
      "language",
    );
  });

  test("takes a short text for its own", async () => {
    const document = await english.parseText("Er ging.");
    expect(document).toMatchObject({ language: undefined, supported: true });
  });

  test("a language that is named counts, for text and for words", async () => {
    const { sentences } = await english.parseText("Er ging am 3. Mai.", { language: "de" });
    expect(sentences).toMatchObject([{ language: "de", supported: false }]);
    const parse = await english.parseWords(["Er", "ging"], { language: "de-AT" });
    expect(parse).toMatchObject({ language: "de-AT", supported: false });
    expect(await english.parseWords(["He", "left"], { language: "en-GB" })).not.toHaveProperty(
      "language",
    );
  });

  test("a wrong code is refused with the codes that there are", async () => {
    const problem = /"language" must be auto or a language code; there are rules for en, de, fr/;
    await expect(english.parseText("He left.", { language: "jp" })).rejects.toThrow(problem);
  });

  test("in a stream, a short text is in the language of the text before it", async () => {
    const texts = ["He left.", TEN_LANGUAGES.de as string, "Er ging.", TEN_LANGUAGES.en as string];
    const languages: unknown[] = [];
    for await (const { language } of english.parseStream(texts)) languages.push(language);
    expect(languages).toEqual([undefined, "de", "de", undefined]);
  });
});

test("a text goes to the first model that knows its language, else to the one with the most", () => {
  const model = (...languages: [string, ...string[]]) => [{ language: languages[0], languages }];
  const routes = [model("en"), model("en", "de", "pt")];
  const chosen = ["en", "en-GB", "de", "pt-BR", "pl", undefined].map((code) =>
    chooseRoute(code, routes),
  );
  expect(chosen).toEqual([0, 0, 1, 1, 1, 0]);
});
