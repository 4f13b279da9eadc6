/** Loads a parser from a model on disk. Kept apart from the parser itself, which also runs in a browser. */

import { InputError } from "../errors.js";
import { PRECISIONS } from "../model/config.js";
import { findModel } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { SpanModel, type SpanModelOptions } from "../model/span-model.js";
import { checkOptions, MOST_THREADS, type OptionChecks, oneOf, wholeNumber } from "../options.js";
import type { Decoder } from "./decoder.js";
import { LocalDecoder } from "./decoder.js";
import { Parser } from "./parser.js";

/** How a model is loaded for parsing. */
export interface ParserOptions extends Pick<SpanModelOptions, "precision" | "threads"> {
  /**
   * Worker threads that parse, each with its own copy of the model. By default one, which uses all
   * `threads` and leaves the caller's thread free. For much text, one per processor is fastest, and takes
   * that many times the memory. With 0 the caller's own thread parses and is blocked meanwhile.
   */
  readonly workers?: number | undefined;
}

/**
 * Loads a model for parsing.
 *
 * @param model the name of a bundled model, or a model folder; by default the bundled English model.
 * Several models parse together, by the mean of their probabilities.
 * @throws InputError if there is no such model, its files are damaged, or an option is invalid.
 * @example
 * ```ts
 * import { loadParser, toPenn } from "bracken";
 *
 * const parser = await loadParser("default", { precision: "int8" });
 * const { tree } = await parser.parseWords(["He", "left", "."]);
 * console.log(toPenn(tree));
 * await parser.close();
 * ```
 */
export async function loadParser(
  model?: string | readonly string[],
  options: ParserOptions = {},
): Promise<Parser> {
  const names = Array.isArray(model) ? model : [model];
  if (names.some((name) => name !== undefined && typeof name !== "string")) {
    throw new InputError(
      "a model must be a string, or several models a list of strings",
      {},
      'loadParser("models/mine", { precision: "int8" }); the bundled model is loadParser()',
    );
  }
  const folders = await Promise.all(
    names.map(async (name) => ModelFolder.open(await findModel(name))),
  );
  return new Parser(await openDecoder(folders, options));
}

/** A decoder for models that were checked when they were opened. */
export async function openDecoder(
  models: readonly ModelFolder[],
  { workers = 1, ...options }: ParserOptions,
): Promise<Decoder> {
  checkOptions({ workers, ...options }, CHECKS);
  if (workers > 0) {
    const { WorkerDecoder } = await import("./worker-decoder.js");
    return WorkerDecoder.start(workers, models, options);
  }
  const loaded = await Promise.all(models.map((folder) => SpanModel.load(folder, options)));
  const [first, ...others] = loaded;
  if (!first) throw new InputError("no model is given");
  return new LocalDecoder(first, ...others);
}

const CHECKS: OptionChecks<ParserOptions> = {
  workers: wholeNumber(0, MOST_THREADS),
  threads: wholeNumber(1, MOST_THREADS),
  precision: oneOf(PRECISIONS),
};
