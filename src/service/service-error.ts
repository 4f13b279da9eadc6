/**
 * What a request is refused with: a status, a code for programs and a message for people. And errors
 * as plain values, which is what threads can send each other.
 */

import { InputError, type Place } from "../errors.js";
import type { ErrorBody, ErrorCode } from "./wire.js";

export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function errorBody({ code, message }: ServiceError, requestId: string): ErrorBody {
  return { error: { code, message, requestId } };
}

export type Failure =
  | { kind: "service"; status: number; code: ErrorCode; message: string }
  | { kind: "input"; problem: string; place: Place; remedy: string | undefined }
  | { kind: "internal"; message: string; stack: string | undefined };

export function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError) {
    return {
      kind: "service",
      status: error.status,
      code: error.code,
      message: error.message,
    };
  }
  if (error instanceof InputError) {
    return { kind: "input", problem: error.problem, place: error.place, remedy: error.remedy };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "internal", message, stack };
}

export function fromFailure(failure: Failure): Error {
  if (failure.kind === "service") {
    return new ServiceError(failure.status, failure.code, failure.message);
  }
  if (failure.kind === "input") {
    return new InputError(failure.problem, failure.place, failure.remedy);
  }
  return Object.assign(new Error(failure.message), { stack: failure.stack });
}
