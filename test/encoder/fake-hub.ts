/** A hub on this machine that serves one model, `owner/model`, and misbehaves when told to. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What `main` is at the moment. */
export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

export class FakeHub {
  readonly requests: { file: string; range: string | undefined; token: string | undefined }[] = [];
  files: Record<string, Buffer> = {
    "config.json": Buffer.from("{}"),
    "tokenizer.json": Buffer.from('{"model": {}}'),
    "model.safetensors": Buffer.from(Array.from({ length: 2_000_000 }, (_, i) => (i * i) % 251)),
  };
  /** Takes a request over when it returns true. */
  misbehave: (file: string, request: IncomingMessage, response: ServerResponse) => boolean = () =>
    false;
  readonly #servers: (Server | SecureServer)[] = [];

  /** A server for the model, or one that does something else. */
  async listen(handler: Handler = this.serve): Promise<{ server: Server; url: string }> {
    const server = createServer(handler);
    return { server, url: `http://127.0.0.1:${await this.#start(server)}` };
  }

  /** The port of an encrypted server for the model. */
  listenSecurely(certificate: { key: Buffer; cert: Buffer }): Promise<number> {
    return this.#start(createSecureServer(certificate, this.serve));
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  /** As the real one: small files at once, large ones by a redirect that tells their hash. */
  readonly serve: Handler = (request, response) => {
    const url = new URL(request.url ?? "", "http://hub");
    const file = url.pathname.split("/").at(-1) as string;
    const { range, authorization } = request.headers;
    this.requests.push({ file, range, token: authorization });
    const data = this.files[file];
    if (this.misbehave(file, request, response)) return;
    const [, revision] = /^\/owner\/model\/resolve\/([^/]+)\//.exec(url.pathname) ?? [];
    response.setHeader("x-repo-commit", COMMIT);
    if (!data || (revision !== "main" && revision !== COMMIT)) {
      response.writeHead(404).end();
    } else if (file.endsWith(".safetensors") && !url.searchParams.has("direct")) {
      const hash = createHash("sha256").update(data).digest("hex");
      const location = `${url.pathname}?direct`;
      response.writeHead(302, { location, "x-linked-etag": `"${hash}"` }).end();
    } else {
      sendFrom(data, range, response);
    }
  };

  async #start(server: Server | SecureServer): Promise<number> {
    this.#servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
}

/** Sends a file from where it is asked for, and hangs up at `until`. */
export function sendFrom(
  data: Buffer,
  range: string | undefined,
  response: ServerResponse,
  until = data.length,
): void {
  const from = Number(/^bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
  if (from >= data.length) return void response.writeHead(416).end();
  const length = String(data.length - from);
  if (from > 0) {
    const span = `bytes ${from}-${data.length - 1}/${data.length}`;
    response.writeHead(206, { "content-length": length, "content-range": span });
  } else {
    const hash = createHash("sha1").update(`blob ${data.length}\0`).update(data).digest("hex");
    response.writeHead(200, { "content-length": length, etag: `W/"${hash}"` });
  }
  if (until >= data.length) return void response.end(data.subarray(from));
  response.write(data.subarray(from, until), () => response.socket?.destroy());
}
