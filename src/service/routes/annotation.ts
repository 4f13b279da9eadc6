/**
 * `/v1/annotation`: questions to people and their answers. An answer is on disk before it is acknowledged. Every answer
 * comes with the next question, so that people need not wait for two round trips.
 */

import type { FastifyInstance } from "fastify";
import type { AnnotationSession, AnnotationState } from "../../annotate/session.js";
import { InputError } from "../../errors.js";
import type { ServiceContext } from "../context.js";
import { errorAnswers, jsonAnswer, ref } from "../schemas.js";
import { ServiceError } from "../service-error.js";
import { PATHS } from "../wire.js";
import type {
  AgreementRecord,
  AnnotationAnswer,
  AnnotationPerson,
  AnnotationResponse,
  AnnotationStateRecord,
} from "../wire-annotation.js";

export function annotationRoutes(app: FastifyInstance, { annotation }: ServiceContext): void {
  if (annotation === undefined) return;
  app.get(`/${PATHS.annotation}`, {
    schema: {
      operationId: "annotation",
      summary: "The state of annotation",
      response: { 200: jsonAnswer("AnnotationState", "The state."), ...errorAnswers() },
    },
    handler: async (): Promise<AnnotationStateRecord> => onWire(annotation.state()),
  });
  app.post<{ Body: AnnotationPerson }>(`/${PATHS.annotationQuestion}`, {
    schema: {
      operationId: "annotationQuestion",
      summary: "A question for a person, the same one until it is answered",
      body: ref("AnnotationPerson"),
      response: { 200: jsonAnswer("Annotation", "The question."), ...errorAnswers(400, 413, 415) },
    },
    handler: async ({ body }) => respond(annotation, body.by),
  });
  app.post<{ Body: AnnotationAnswer }>(`/${PATHS.annotationAnswer}`, {
    schema: {
      operationId: "annotationAnswer",
      summary: "Save an answer, and give the next question",
      body: ref("AnnotationAnswer"),
      response: {
        200: jsonAnswer("Annotation", "The answer is saved. The next question."),
        ...errorAnswers(400, 404, 413, 415),
      },
    },
    handler: async ({ body: { by, ...answer } }) => {
      if (!annotation.isQuestion(answer.question)) {
        throw new ServiceError(404, "unknown_question", "there is no such question");
      }
      await annotation.answer(by, answer).catch(refuse);
      return respond(annotation, by);
    },
  });
  app.post<{ Body: AnnotationPerson }>(`/${PATHS.annotationUndo}`, {
    schema: {
      operationId: "annotationUndo",
      summary: "Take back a person's last answer, and ask again",
      body: ref("AnnotationPerson"),
      response: {
        200: jsonAnswer("Annotation", "The answer is taken back. Its question."),
        ...errorAnswers(400, 409, 413, 415),
      },
    },
    handler: async ({ body }) => {
      if (await annotation.undo(body.by)) return respond(annotation, body.by);
      throw new ServiceError(409, "nothing_to_undo", "there is no answer of yours to undo");
    },
  });
}

/** What is wrong with an answer is the client's to know; a disk that is full is not. */
function refuse(error: unknown): never {
  if (!(error instanceof InputError)) throw error;
  throw new ServiceError(400, "invalid_request", error.message);
}

function respond(annotation: AnnotationSession, by: string): AnnotationResponse {
  return { question: annotation.question(by) ?? null, state: onWire(annotation.state()) };
}

function onWire(state: AnnotationState): AnnotationStateRecord {
  const { learning, heldBack, skipped, people, agreement, ready, curve } = state;
  return {
    ...{ answers: learning + heldBack, heldBack, skipped, ready },
    people: [...people].map(([name, answers]) => ({ name, answers })),
    agreement: {
      ...agreementOnWire(agreement),
      pairs: agreement.pairs.map((pair) => ({ people: pair.people, ...agreementOnWire(pair) })),
    },
    curve: curve.map(({ isUsed, ...point }) => ({ ...point, used: isUsed })),
    lesson: state.current ?? null,
    nextLesson: state.next ?? null,
    problem: state.problem ?? null,
  };
}

function agreementOnWire({
  questions,
  share = null,
  kappa = null,
}: {
  readonly questions: number;
  readonly share?: number | null | undefined;
  readonly kappa?: number | null | undefined;
}): AgreementRecord {
  return { questions, share, kappa };
}
