/** The model card of a trained model: what it is made of, how to use it, how to make it again. */

import type { RunDescription } from "./run-folder.js";

/** `step` is how far the training has come. */
export function modelCard(
  { encoder, from, data, settings }: RunDescription,
  step: number,
  bracketRecall?: number,
): string {
  const rows = data.map(
    ({ name, weight, sentences, sha256 }) =>
      `| ${name.split("/").at(-1)} | ${sentences} | ${weight} | \`${sha256.slice(0, 16)}\` |`,
  );
  const { loss, cost, steps, batch, rate, headRate, seed } = settings;
  return [
    "# A bracken model",
    "",
    "A constituency parser learnt from naturally occurring brackets; no treebank was used in training.",
    "",
    "```sh",
    "bracken evaluate TREEBANK --model FOLDER --protocol nob",
    "```",
    "",
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
