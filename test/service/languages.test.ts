/** The service tells the language of a request, and chooses the model by it. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { TEN_LANGUAGES } from "../languages/ten-languages.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { post, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
let service: Served;
const parse = async (body: object) => {
  const answer = await post(`${service.url}v1/parse`, body);
  return { status: answer.status, body: answer.body as Record<string, unknown> };
};

beforeAll(async () => {
  const english = await writeTinyModel(join(folder, "english"));
  const german = join(folder, "german");
  renameSync(await writeTinyModel(join(folder, "other"), { language: "de" }), german);
  service = await serve(english, "--model", german);
});

test("a text goes to the model that knows its language, unless a model is named", async () => {
  const text = TEN_LANGUAGES.de;
  expect((await parse({ text })).body).toMatchObject({ model: "german", supported: true });
  expect((await parse({ text: TEN_LANGUAGES.en })).body).toMatchObject({ model: "model" });
  expect(await parse({ text, model: "model" })).toMatchObject({
    status: 200,
    body: { model: "model", language: "de", supported: false, sentences: [{ supported: false }] },
  });
});

test("a language that is not sure, or of words, is not told", async () => {
  for (const body of [{ text: "Er ging." }, { tokens: ["Er", "ging"] }]) {
    const { body: answer } = await parse(body);
    expect(Object.keys(answer)).toEqual(["model", "sentences"]);
  }
});

test("a request may name its language; a wrong code is refused with the list", async () => {
  const { body } = await parse({ text: "Er kam am 3. Mai.", language: "de" });
  expect(body).toMatchObject({ language: "de", sentences: [{ text: "Er kam am 3. Mai." }] });
  expect(await parse({ text: "He left.", language: "jp" })).toMatchObject({
    status: 400,
    body: {
      error: { code: "unknown_language", message: expect.stringContaining("ja (Japanese)") },
    },
  });
});
