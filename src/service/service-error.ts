/** The error of a refused request: a status, a code for programs and a message for people. */

import { registerError } from "../workers/error-crossing.js";
import type { ErrorBody, ErrorCode } from "./wire.js";

type ErrorHeaders = Readonly<Record<string, string | string[]>>;

export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: ErrorHeaders;

  constructor(status: number, code: ErrorCode, message: string, headers: ErrorHeaders = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

registerError(ServiceError, ({ status, code, message, headers }) => [
  status,
  code,
  message,
  headers,
]);

export function shuttingDown(): ServiceError {
  return new ServiceError(503, "shutting_down", "the service is shutting down", {
    connection: "close",
    "retry-after": "5",
  });
}

/** The client has hung up: there is nobody to answer, and nothing to log as an error. */
export class HungUp extends Error {
  override readonly name = "HungUp";

  constructor() {
    super("the client has closed the connection");
  }
}

export function errorBody({ code, message }: ServiceError, requestId: string): ErrorBody {
  return { error: { code, message, requestId } };
}
