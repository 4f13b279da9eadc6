/** The model card of a trained model: what it is made of, how to use it, how to make it again. */

import type { RunDescription } from "./run-folder.js";

/** What a model card says beside the run's description. */
export interface CardFacts {
  /** How far the training has come. */
  readonly step: number;
  readonly bracketRecall?: number | undefined;
  /** On how many gold trees the model was trained. */
  readonly trees: number;
}

export function modelCard(
  { encoder, from, data, settings }: RunDescription,
  { step, bracketRecall, trees }: CardFacts,
): string {
  const rows = data.map(
    ({ name, weight, sentences, sha256 }) =>
      `| ${name.split("/").at(-1)} | ${sentences} | ${weight} | \`${sha256.slice(0, 16)}\` |`,
  );
  const { loss, cost, steps, batch, rate, headRate, seed } = settings;
  return [
    "# A bracken model",
    "",
    trees > 0
      ? `A constituency parser. ${trees} gold trees were used in training; \`trained-on.txt\` has hashes of their sentences.`
      : "A constituency parser learnt from naturally occurring brackets; no treebank was used in training.",
    "",
    "```sh",
    "bracken evaluate TREEBANK --model FOLDER --protocol nob",
    "```",
    "",
    ...(settings.inducedLabels === undefined
      ? []
      : [
          `Its labels are ${settings.inducedLabels} categories of brackets; \`categories.txt\` shows typical phrases of each.`,
          "",
        ]),
    ...(step < steps ? [`Unfinished: ${step} of ${steps} steps.`, ""] : []),
    from
      ? `Further training of ${from.name} (\`${from.sha256.slice(0, 16)}\`).`
      : `Encoder: ${encoder}.`,
    `Loss: ${loss}, cost ${cost}; ${steps} steps of ${batch} sentences; learning rates`,
    `${rate} (encoder) and ${headRate} (scorer); seed ${seed}. All settings: \`training/settings.json\`.`,
    "",
    "| data | sentences | weight | SHA-256 |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...(bracketRecall === undefined
      ? []
      : [`Validation brackets found in its trees: ${(bracketRecall * 100).toFixed(1)} %.`, ""]),
  ].join("\n");
}
