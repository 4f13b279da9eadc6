/** What the routes work with. */

import type { AnnotationSession } from "../annotate/session.js";
import { chooseRoute, knowsLanguage } from "../parser/from-text.js";
import type { Batcher } from "./batcher.js";
import type { ClientLimits } from "./client-limits.js";
import type { ServedFile } from "./files.js";
import type { Limits } from "./limits.js";
import type { Metrics } from "./metrics.js";
import type { ServedModel } from "./models.js";
import { ServiceError } from "./service-error.js";
import type { AnsweredLanguage } from "./wire.js";
import type { Reader } from "./worker-pools.js";

/** Reads long texts and scores trees away from the thread that serves connections. */
export type RequestReader = Pick<Reader, "read" | "gold" | "evaluate" | "close">;

export interface ServiceContext {
  readonly limits: Limits;
  /** The first one is the default. */
  readonly models: readonly ServedModel[];
  readonly reader: RequestReader;
  readonly batcher: Batcher;
  readonly clients: ClientLimits;
  readonly metrics: Metrics;
  readonly files: ReadonlyMap<string, ServedFile>;
  /** The folder with training runs to watch. */
  readonly watch: string | undefined;
  /** Questions to people, if the service asks any. */
  readonly annotation: AnnotationSession | undefined;
  /** Aborted when the service should get no more requests; it still answers those that come. */
  readonly draining: AbortSignal;
  /** Aborted when it takes no more requests. */
  readonly closing: AbortSignal;
}

/** The models that a request may be answered by: the one with that name, or all. */
export function candidates(
  { models }: Pick<ServiceContext, "models">,
  asked: string | undefined,
): readonly [ServedModel, ...ServedModel[]] {
  const [first, ...others] = models.filter(({ name }) => asked === undefined || name === asked);
  if (first !== undefined) return [first, ...others];
  const names = models.map(({ name }) => name);
  throw new ServiceError(
    400,
    "unknown_model",
    `there is no model of that name; the models are ${names.join(", ")}`,
  );
}

/** The candidate for a text in that language; the first if the language is not sure. */
export function chooseModel(
  models: readonly [ServedModel, ...ServedModel[]],
  language: string | undefined,
): ServedModel {
  const routes = models.map((model) => [model]);
  return models[chooseRoute(language, routes)] ?? models[0];
}

/** What an answer says of the language of its request. */
export function answeredLanguage(
  model: ServedModel,
  language: string | undefined,
): AnsweredLanguage {
  return language === undefined ? {} : { language, supported: knowsLanguage(language, [model]) };
}
