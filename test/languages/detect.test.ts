/** The detector tells languages, and says nothing where it cannot be sure. */

import { describe, expect, test } from "vitest";
import { LANGUAGE_CODES, namedCode } from "../../src/languages/codes.js";
import { canonicalCode, detectLanguage, LANGUAGES } from "../../src/languages/index.js";
import { TEN_LANGUAGES } from "./ten-languages.js";

describe("detectLanguage", () => {
  test.each(Object.entries(TEN_LANGUAGES))("%s: %s", async (code, text) => {
    expect(await detectLanguage(text)).toBe(code);
  });

  test.each([
    ["nl", "De kinderen liepen door het park naar huis toen het begon te regenen."],
    ["sv", "Barnen gick hem genom parken när det plötsligt började regna."],
    ["pl", "Dzieci wracały do domu przez park, kiedy zaczęło padać."],
    ["ru", "Дети шли домой через парк, когда начался дождь."],
    ["ar", "كان الأطفال عائدين إلى البيت عبر الحديقة عندما بدأ المطر."],
    ["ko", "비가 오기 시작했을 때 아이들은 공원을 지나 집으로 가고 있었다."],
  ])("%s, which has no model: %s", async (code, text) => {
    expect(await detectLanguage(text)).toBe(code);
  });

  test.each([
    "",
    "Yes.",
    "He left.",
    "San Francisco",
    "Angela Merkel",
    "La La Land won six Oscars.",
    "Der Spiegel is a magazine.",
    "He ate spaghetti al dente.",
    "Time flies like an arrow.",
    "1,234.56 78.9 % 2026-11-18 12:45",
    "for (let i = 0; i < n; i++) { sum += a[i] * b[i]; }",
    "https://example.org/der/die/das?und=oder",
    "SELECT id, name FROM users WHERE id = 17;",
    "東京都",
  ])("takes %j for no other language than English", async (text) => {
    expect([undefined, "en"]).toContain(await detectLanguage(text));
  });

  test("numbers do not hide Chinese, which has no blanks", async () => {
    expect(await detectLanguage("他在2019年5月3日搬到了北京，住了7年。")).toBe("zh");
  });

  test("a few words are not sure, however often they are repeated", async () => {
    expect(await detectLanguage("Am 3. Mai Opa's Fest. ".repeat(300))).toBeUndefined();
  });

  test("a long text is judged by all of it, not by how it begins", async () => {
    const notice = "This book may be copied by all who have it and want to do so. ";
    const german = `${TEN_LANGUAGES.de} Mein Bruder hat sich gestern ein neues Fahrrad gekauft, weil das
      alte kaputt war. Niemand wusste, warum der Hund so laut bellte. `;
    expect(await detectLanguage(notice + german.repeat(30))).toBe("de");
  });
});

test("the list of codes is that of the languages", () => {
  expect(LANGUAGES.map(({ code }) => code)).toEqual(LANGUAGE_CODES);
});

test("codes that name no language are refused with those that do", () => {
  expect(namedCode("PT-br")).toBe("pt-BR");
  for (const code of ["jp", "xx", "german", ""]) {
    expect(() => canonicalCode(code), code).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining("ja (Japanese)") }),
    );
  }
});
