/** A parser from a model on disk. Apart from the parser itself, which a browser runs too. */

import { InputError } from "../errors.js";
import { findModel } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { SpanModel, type SpanOptions } from "../model/span-model.js";
import { LocalDecoder } from "./decoder.js";
import { Parser } from "./parser.js";
import { Crew } from "./worker-decoder.js";

export interface ParserOptions extends SpanOptions {
  /**
   * Threads beside this one, each with the model to itself: for much text, and where this thread must
   * not be held up. Without them the model runs in this one, on `threads` processors.
   */
  readonly workers?: number | undefined;
}

/**
 * Loads the bundled English model, or the model with that name or in that folder. Several models
 * decide together, by the mean of their probabilities.
 */
export async function loadParser(
  model?: string | readonly string[],
  { workers = 0, ...options }: ParserOptions = {},
): Promise<Parser> {
  const names = typeof model === "object" ? model : [model];
  const folders = await Promise.all(names.map(findModel));
  if (workers === 0) return new Parser(await openDecoder(folders, options));
  for (const folder of folders) await ModelFolder.open(folder);
  return new Parser(new Crew(workers, { folders, precision: options.precision }));
}

/** With `thorough`, what the folders hold is checked; whoever asks a second time need not. */
export async function openDecoder(
  folders: readonly string[],
  { thorough = true, ...options }: SpanOptions & { thorough?: boolean },
): Promise<LocalDecoder> {
  const models = await Promise.all(
    folders.map(async (folder) =>
      SpanModel.load(await ModelFolder.open(folder, { thorough }), options),
    ),
  );
  const [first, ...others] = models;
  if (!first) throw new InputError("no model is named");
  return new LocalDecoder(first, ...others);
}
