/** What the header of a dump says of its wiki: the language and the names of its namespaces. */

import type { Language } from "../../text/index.js";

export interface Site {
  readonly language?: string | undefined;
  readonly namespaces: readonly (readonly [key: number, name: string])[];
}

export function readSite(header: string): Site {
  const info = header.slice(0, header.indexOf("</siteinfo>") + 1);
  const names = info.matchAll(/<namespace key="(-?\d+)"[^>]*>([^<]*)<\/namespace>/g);
  const database = /<dbname>([a-z_]+?)wiki<\/dbname>/.exec(info)?.[1];
  const language = database ?? /\bxml:lang="([a-z-]+)"/.exec(info)?.[1];
  return { language, namespaces: [...names].map(([, key, name]) => [Number(key), name as string]) };
}

const LANGUAGES = new Set<string>(["en", "de", "fr", "es", "it", "nl", "pt"] satisfies Language[]);

/** The language if there are rules for it. */
export function knownLanguage(name: string | undefined): Language | undefined {
  return name !== undefined && LANGUAGES.has(name) ? (name as Language) : undefined;
}
