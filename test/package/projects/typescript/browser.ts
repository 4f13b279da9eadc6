// What a page imports, compiled with the DOM library and without Node's types.

import * as brackets from "bracken/brackets";
import { loadParserFromUrl } from "bracken/browser";
import * as chart from "bracken/chart";
import * as evaluation from "bracken/evaluation";
import * as languages from "bracken/languages";
import * as text from "bracken/text";
import { drawSvg } from "bracken/trees";

export const entries = [brackets, chart, evaluation, languages, text];

export async function draw(element: Element, sentence: string): Promise<void> {
  const parser = await loadParserFromUrl(new URL("/models/bracken-en/", location.href));
  const { sentences } = await parser.parseText(sentence);
  element.innerHTML = sentences.map(({ tree }) => drawSvg(tree)).join("");
}
