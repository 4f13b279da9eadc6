/** The options of annotation, which `bracken annotate` and `bracken serve` share. */

import { Option } from "commander";
import { ANNOTATION_DEFAULTS, type AnnotationOptions } from "../annotate/session.js";
import { numberThat, wholeNumber } from "./options.js";

/** The values of the options. */
export type AnnotationFlags = Pick<
  AnnotationOptions,
  "source" | "pool" | "heldBack" | "twice" | "learnEvery"
> & { readonly learnIn?: string };

export function annotationOptions(): Option[] {
  const { pool, heldBack, twice, learnEvery } = ANNOTATION_DEFAULTS;
  const share = numberThat((value) => value >= 0 && value < 1, "a number from 0 to 1, but not 1");
  return [
    new Option("--source <name>", "source of the documents (default: each file is recognised)"),
    new Option("--pool <n>", "ask about at most this many sentences")
      .argParser(wholeNumber(1))
      .default(pool),
    new Option(
      "--held-back <share>",
      "share of the answers to measure on instead of learning from them",
    )
      .argParser(share)
      .default(heldBack),
    new Option("--twice <share>", "share of the questions to ask two people")
      .argParser(share)
      .default(twice),
    new Option("--learn-every <n>", "learn after every n answers; 0: never")
      .argParser(wholeNumber(0))
      .default(learnEvery),
    new Option(
      "--learn-in <folder>",
      "folder for the models that learn from the answers (default: my-models for my.jsonl)",
    ),
  ];
}
