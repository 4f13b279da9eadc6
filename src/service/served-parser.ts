/**
 * A model at work for many requests at a time. Unlike the library's parser it decodes each sentence
 * with options of its own, and lets one see the scores.
 */

import { Chart } from "../chart/index.js";
import { chooseDecoding, type Decoding } from "../model/config.js";
import { ModelFolder } from "../model/folder.js";
import type { Precision } from "../model/precision.js";
import { SpanModel } from "../model/span-model.js";
import { assembleParse, decodeSentence, probabilitiesOf } from "../parser/decode-sentence.js";
import { LocalDecoder } from "../parser/decoder.js";
import { Parser } from "../parser/parser.js";
import type { Parse, ParserInput } from "../parser/sentence.js";
import type { TaskOptions } from "./task.js";

export class ServedParser {
  readonly #spans: SpanModel;
  readonly #chart = new Chart();

  private constructor(spans: SpanModel) {
    this.#spans = spans;
  }

  static async load(folder: string, precision?: Precision): Promise<ServedParser> {
    // What it holds was checked when the service started.
    const opened = await ModelFolder.open(folder, { thorough: false });
    // There are as many threads like this one as there are processors to use.
    return new ServedParser(await SpanModel.load(opened, { threads: 1, precision }));
  }

  get decoding(): Decoding {
    return this.#spans.config.decoding;
  }

  /** The scores of all spans of each sentence; see chart/matrix.ts for their layout. */
  scores(inputs: readonly ParserInput[]): ReturnType<SpanModel["scores"]> {
    return this.#spans.scores(inputs.map(({ leaves }) => leaves.map(({ word }) => word)));
  }

  /** Constraints that conflict are an InputError. */
  decode(input: ParserInput, scores: Float32Array, options: TaskOptions): Parse {
    const asked = { ...options, decoding: chooseDecoding(this.#spans.config, options.decoding) };
    const size = input.leaves.length;
    return assembleParse(input, decodeSentence([scores], size, input, asked, this.#chart));
  }

  /** The probabilities of all spans under the sentence's constraints. */
  marginals(input: ParserInput, scores: Float32Array): Float32Array {
    const size = input.leaves.length;
    const all = probabilitiesOf([scores], size, input, this.decoding, this.#chart);
    return Float32Array.from(all);
  }

  /** What the library gives for a sentence that is longer than it may be. */
  async fallback(input: ParserInput, options: TaskOptions): Promise<Parse> {
    const [parse] = await new Parser(new LocalDecoder(this.#spans)).parseAll([input], options);
    return parse as Parse;
  }

  close(): Promise<void> {
    return this.#spans.close();
  }
}
