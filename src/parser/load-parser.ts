/** A parser from a model on disk. Apart from the parser itself, which a browser runs too. */

import type { SessionOptions } from "../tensor/index.js";
import { ModelFolder } from "./model-folder.js";
import { findModel } from "./models.js";
import { Parser } from "./parser.js";
import { SpanParser } from "./span-parser.js";

export interface ParserOptions {
  readonly threads?: number | undefined;
}

/** Loads the bundled English model, or the model with that name or in that folder. */
export async function loadParser(model?: string, options: ParserOptions = {}): Promise<Parser> {
  const session: SessionOptions = { threads: options.threads };
  const folder = await ModelFolder.open(await findModel(model));
  return new Parser(await SpanParser.load(folder, session));
}
