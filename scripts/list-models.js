// The models there are, as a server of files tells the page of them at v1/models: their names, languages and sizes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The models in a folder, by name. */
export function modelsIn(folder) {
  const names = readdirSync(folder).filter((name) => isModel(join(folder, name)));
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}

/** The models in packages of this repository, by name. */
export function packagedModels(packages) {
  const folders = readdirSync(packages).map((name) => [name, join(packages, name, "model")]);
  return Object.fromEntries(folders.filter(([, folder]) => isModel(folder)));
}

function isModel(folder) {
  return existsSync(join(folder, "manifest.json"));
}

/** @param folders the folder of each model by its name */
export function listModels(folders) {
  const models = Object.entries(folders).map(([name, folder]) => describe(name, folder));
  return JSON.stringify({ files: true, models });
}

function describe(name, folder) {
  const { files } = readJson(join(folder, "manifest.json"));
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  const { bracken } = readJson(join(folder, "config.json"));
  const languages = [bracken?.language ?? []].flat();
  return { name, bytes, ...(languages.length > 0 ? { language: languages[0], languages } : {}) };
}
