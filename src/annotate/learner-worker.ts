/** The process in which models score, parse and learn for annotation. */

import { setPriority } from "node:os";
import { answerRequests } from "../workers/answer-requests.js";
import {
  type LearnerOptions,
  type LearnerPart,
  type LearnerRequest,
  LocalLearner,
} from "./learner.js";

/** People who wait for a question come first. */
const PRIORITY = 10;

await answerRequests<LearnerOptions, LearnerRequest, unknown, LearnerPart>((options) => {
  setPriority(PRIORITY);
  const learner = new LocalLearner(options);
  return {
    handle: (request, { emit, signal }) => {
      if (request.kind === "learn") return learner.learn(request.task, emit, signal);
      const { kind, model, sentences } = request;
      return kind === "score"
        ? learner.score(model, sentences, emit, signal)
        : learner.parse(model, sentences);
    },
  };
});
