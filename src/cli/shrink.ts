/** `bracken model shrink`: a smaller copy of a model, to train further or with weights in 8 bits. */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { readBracketings } from "../brackets/read-bracketings.js";
import { prunePieces } from "../encoder/prune-pieces.js";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { TextInput } from "../files/text-input.js";
import { findModel } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { saveModel } from "../model/save.js";
import { shrinkModel } from "../model/shrink.js";
import { readTrainedOn } from "../model/trained-on.js";
import { collect, wholeNumber } from "./options.js";

interface Options {
  readonly out: string;
  readonly layers?: number;
  readonly innerWidth?: number;
  readonly pieces?: number;
  readonly text?: readonly string[];
  readonly bits: "8" | "16";
}

export const SHRINK_EXAMPLES = [
  "bracken model shrink bracken-en --layers 3 --pieces 18000 --text soft.jsonl --out models/start",
  "bracken model shrink models/mine --bits 8 --out models/mine-8",
];

export function buildShrink(command: Command): void {
  command
    .requiredOption("-o, --out <folder>", "folder for the smaller model")
    .option("--layers <n>", "number of layers to keep", wholeNumber(1))
    .option("--inner-width <n>", "size of the vectors inside feed-forward layers", wholeNumber(1))
    .option("--pieces <n>", "number of pieces to keep, the most frequent in --text", wholeNumber(1))
    .option("--text <file>", "Bracketings whose words are counted; repeat it for several", collect)
    .addOption(
      new Option("--bits <n>", "bits per stored weight").choices(["8", "16"]).default("16"),
    )
    .action(shrink);
}

async function shrink(name: string | undefined, options: Options): Promise<void> {
  const { out, layers, innerWidth, bits } = options;
  const model = await ModelFolder.open(await findModel(name));
  if (resolve(out) === resolve(model.folder)) {
    throw new InputError("the smaller model needs its own folder", { file: out });
  }
  const pieces = await keptPieces(model, options);
  const shrunk = await shrinkModel(model, { layers, innerWidth, pieces });
  const isAltered = [layers, innerWidth, pieces].some((asked) => asked !== undefined);
  await saveModel(out, {
    ...shrunk,
    card: isAltered ? unfinishedCard(name ?? "bracken-en") : await model.card(),
    trainedOn: await readTrainedOn(model),
    type: bits === "8" ? "I8" : "F16",
  });
  if (!isAltered) return;
  process.stderr.write(
    `this model must be trained before it parses: bracken train --from ${out}\n`,
  );
}

async function keptPieces(model: ModelFolder, { pieces, text = [] }: Options) {
  if ((pieces === undefined) !== (text.length === 0)) {
    throw new InputError("--pieces and --text go together", {}, "give both or neither");
  }
  if (pieces === undefined) return undefined;
  const counts = new Map<number, number>();
  const wordPieces = await model.wordPieces();
  for (const file of await expandInputs(text, [".jsonl"])) {
    for await (const { tokens } of readBracketings(new TextInput(file))) {
      for (const piece of wordPieces.sentence(tokens).flat()) {
        counts.set(piece, (counts.get(piece) ?? 0) + 1);
      }
    }
  }
  return prunePieces(await readFile(model.tokenizer, "utf8"), counts, pieces, model.tokenizer);
}

function unfinishedCard(name: string): string {
  return `# A smaller ${name}

Some of the weights of ${name}, to start a training from. It is no parser yet.
`;
}
