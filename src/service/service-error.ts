/** What a request is refused with: a status, a code for programs and a message for people. */

import { registerError } from "../workers/error-crossing.js";
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

registerError(ServiceError, ({ status, code, message, headers }) => [
  status,
  code,
  message,
  headers,
]);

export function errorBody({ code, message }: ServiceError, requestId: string): ErrorBody {
  return { error: { code, message, requestId } };
}
