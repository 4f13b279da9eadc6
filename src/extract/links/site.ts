/** What the header of a dump says about its wiki: the language and the names of its namespaces. */

import { parseCode } from "../../languages/codes.js";
import { english } from "../../languages/english.js";
import { findLanguage, type Language } from "../../languages/index.js";
import { neutralLanguage, UNDETERMINED } from "../../languages/neutral.js";

export interface Site {
  /** The language's code as the dump writes it. */
  readonly language?: string | undefined;
  readonly namespaces: readonly (readonly [key: number, name: string])[];
}

/** The database's name tells the language where nothing else does; `simplewiki` is in English. */
export function readSite(header: string): Site {
  const info = header.slice(0, header.indexOf("</siteinfo>") + 1);
  const names = info.matchAll(/<namespace key="(-?\d+)"[^>]*>([^<]*)<\/namespace>/g);
  const database = /<dbname>([a-z_]+?)wiki<\/dbname>/.exec(info)?.[1];
  const language = /\bxml:lang="([^"]+)"/.exec(info)?.[1] ?? database?.replaceAll("_", "-");
  return { language, namespaces: [...names].map(([, key, name]) => [Number(key), name as string]) };
}

/** Of a dump with one article per line the first article tells. */
export function readArticleSite(line: string): Site {
  const language = /"in_language"\s*:\s*\{[^}]*?"identifier"\s*:\s*"([^"]+)"/.exec(line)?.[1];
  return { language, namespaces: [] };
}

/** The rules for a wiki's text: English where it does not name its language. */
export function siteLanguage({ language }: Site): Language {
  if (language === undefined) return english;
  return parseCode(language) ? findLanguage(language) : neutralLanguage(UNDETERMINED);
}
