/** Whatever goes wrong becomes a JSON error with the request's id; what is ours to mend is logged. */

import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errorBody, ServiceError } from "./service-error.js";
import type { ErrorCode } from "./wire.js";

export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = error instanceof ServiceError ? error : toServiceError(error);
  if (refusal.status >= 500 && refusal.code === "internal") request.log.error(error);
  // What is left of a body that was refused is not worth reading.
  const isCut = [408, 413].includes(refusal.status);
  reply
    .code(refusal.status)
    .headers({ ...(isCut ? { connection: "close" } : {}), ...refusal.headers })
    .type("application/json; charset=utf-8")
    .send(errorBody(refusal, request.id));
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
};

/** An error of the framework's: those that blame the request tell it why, the others nothing. */
function toServiceError(error: FastifyError): ServiceError {
  const { statusCode: status = 500, code = "", message, validation } = error;
  if (status >= 500) return new ServiceError(500, "internal", "the service failed");
  if (validation?.some(({ keyword }) => keyword === "oneOf")) {
    return new ServiceError(400, "invalid_request", describeChoice(validation));
  }
  const isJson = error instanceof SyntaxError || code === "FST_ERR_CTP_INVALID_JSON_BODY";
  const kind = isJson ? "invalid_json" : (CODES[code] ?? "invalid_request");
  return new ServiceError(status, kind, message);
}

/** "must match exactly one schema" says little. */
function describeChoice(validation: NonNullable<FastifyError["validation"]>): string {
  const choice = validation.find(({ keyword }) => keyword === "oneOf");
  const where = `body${choice?.instancePath ?? ""}`;
  if (choice?.params.passingSchemas) return `${where} has two things of which it may have one`;
  const names = validation.flatMap(({ keyword, params }) =>
    keyword === "required" ? [String(params.missingProperty)] : [],
  );
  return `${where} must have one of ${names.join(", ")}`;
}

/** What cannot be read as HTTP, or does not come in time, has no request to answer to. */
export function answerBadHttp(error: Error & { code?: string }, socket: Socket): void {
  const current = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage;
  if (error.code === "ECONNRESET" || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const status =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? 408
      : error.code === "HPE_HEADER_OVERFLOW"
        ? 431
        : 400;
  const id = randomUUID();
  const refusal = new ServiceError(
    status,
    status === 408 ? "timeout" : "bad_http",
    status === 408 ? "the request did not come in time" : "this is not HTTP as it should be",
  );
  const body = JSON.stringify(errorBody(refusal, id));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
