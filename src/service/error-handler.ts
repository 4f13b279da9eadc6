/** Turns every failure into a JSON error with the request's id, and logs those that are our fault. */

import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errorBody, HungUp, ServiceError } from "./service-error.js";
import { describeValidation } from "./validation-message.js";
import type { ErrorCode } from "./wire.js";

/** The status that proxies log if a client hangs up before the answer. */
export const HUNG_UP = 499;

export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof HungUp) {
    reply.code(HUNG_UP).send();
    return;
  }
  const refusal = error instanceof ServiceError ? error : toServiceError(error);
  if (refusal.code === "internal") request.log.error(error);
  // The rest of a refused body is not read.
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

/** Translates an error of the framework. Clients learn details only about errors of their own. */
function toServiceError(error: FastifyError): ServiceError {
  const { statusCode: status = 500, code = "", message, validation, validationContext } = error;
  if (status >= 500) return new ServiceError(500, "internal", "the service failed");
  if (validation) {
    const told = describeValidation(validation, validationContext);
    return new ServiceError(400, "invalid_request", told);
  }
  const isJson = error instanceof SyntaxError || code === "FST_ERR_CTP_INVALID_JSON_BODY";
  const kind = isJson ? "invalid_json" : (CODES[code] ?? "invalid_request");
  return new ServiceError(status, kind, message);
}

/** Milliseconds for a client to read why its connection is closed. */
const LINGER = 1000;

/** Answers on the socket, since bytes that are not HTTP or arrive too late never become a request. */
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
  // A slow client is cut off at once. Others may still be sending, and get time to read the answer.
  if (status !== 408) setTimeout(() => socket.destroy(), LINGER).unref();
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
    () => {
      if (status === 408) socket.destroy();
    },
  );
}
