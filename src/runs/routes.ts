/**
 * The models of a run by language. Models that are named decide together on every sentence. If none are named, each
 * installed model is a way of its own, and a sentence goes to the one that knows its language; a model is loaded with
 * the first sentence that goes to it.
 */

import { InputError } from "../errors.js";
import { findModel, installedModels } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { chooseRoute, commonLanguage } from "../parser/from-text.js";
import { labelsOf } from "../parser/phrases.js";
import type { Parse, ParseProblem, SentenceInput } from "../parser/sentence.js";
import { LazyParser, type LazyParserOptions } from "./lazy-parser.js";

/** Models that decide together. */
export type Route = readonly ModelFolder[];

/** The names of the models of each route: those that are named, or each that is installed. */
export function routeNames(named: readonly string[] | undefined): string[][] {
  return named ? [[...named]] : installedModels().map((name) => [name]);
}

/** @throws InputError if there is no such model, or if models that should decide together do not fit. */
export async function openRoutes(names: readonly (readonly string[])[]): Promise<Route[]> {
  const routes = await Promise.all(
    names.map((route) =>
      Promise.all(route.map(async (name) => ModelFolder.open(await findModel(name)))),
    ),
  );
  for (const route of routes) await commonLanguage(configsOf(route));
  return routes;
}

/** The routes whose models name phrases as the first does: others have nothing to list. */
export function routesWithLabels(routes: readonly Route[]): Route[] {
  const [first, ...others] = routes;
  if (!first) throw new InputError("no model is given");
  const labels = labelsOf(configsOf(first)).join();
  return [first, ...others.filter((route) => labelsOf(configsOf(route)).join() === labels)];
}

export function configsOf(route: Route): ModelFolder["config"][] {
  return route.map(({ config }) => config);
}

/** A parser for each route. */
export class RoutedParser {
  readonly #routes: readonly Route[];
  readonly #parsers: readonly LazyParser[];

  constructor(routes: readonly Route[], options: LazyParserOptions) {
    this.#routes = routes;
    this.#parsers = routes.map((route) => new LazyParser(route, options));
  }

  /** How many windows keep it busy. */
  get width(): number {
    return Math.max(...this.#parsers.map(({ width }) => width));
  }

  /** The parses in the order of the sentences. */
  async parse(
    sentences: readonly SentenceInput[],
    signal?: AbortSignal,
  ): Promise<(Parse | ParseProblem)[]> {
    const configs = this.#routes.map(configsOf);
    const chosen = new Map<string | undefined, number>();
    const ways = sentences.map(({ language }) => {
      const way = chosen.get(language) ?? chooseRoute(language, configs);
      chosen.set(language, way);
      return way;
    });
    const parses = new Array<Parse | ParseProblem>(sentences.length);
    for (const [way, parser] of this.#parsers.entries()) {
      const places = [...sentences.keys()].filter((index) => ways[index] === way);
      if (places.length === 0) continue;
      const own = places.map((index) => sentences[index] as SentenceInput);
      const found = await parser.parse(own, signal);
      for (const [at, index] of places.entries()) parses[index] = found[at] as Parse | ParseProblem;
    }
    return parses;
  }

  async close(): Promise<void> {
    await Promise.all(this.#parsers.map((parser) => parser.close()));
  }
}
