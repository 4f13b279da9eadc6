// Altered requests to `bracken serve`, a process of its own. Every one must be answered, or its connection
// closed, within ten seconds; never with a 5xx, since none of them is the service's fault. In between a
// sound request must get the answer that it got in the beginning.

import { spawn } from "node:child_process";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { mutate } from "./mutate.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const LIMIT_MS = 10_000;
/** Where nothing comes back for so long, the service waits for more: it is told that nothing comes. */
const SILENCE_MS = 1_000;
/** A sound request after this many altered ones. */
const CHECK_EVERY = 20;

const JSON_TYPE = ["content-type: application/json"];
const SOUND = post("/v1/parse", JSON_TYPE, '{"text": "The old man sat. A dog ran."}');

const REQUESTS = [
  SOUND,
  post("/v1/parse", JSON_TYPE, '{"tokens": ["the", "dog"], "options": {"kBest": 3}}'),
  post(
    "/v1/parse?stream=1",
    JSON_TYPE,
    '{"lines": ["the dog sat", "", "a [red door] ."], "options": {"marginals": true}}',
  ),
  post(
    "/v1/parse",
    JSON_TYPE,
    '{"sentences": [{"tokens": ["the", "old", "man"], "constraints": {"required": [[0, 2]]}}]}',
  ),
  post(
    "/v1/parse",
    [...JSON_TYPE, "content-encoding: gzip"],
    gzipSync('{"text": "The old man sat."}'),
  ),
  post("/v1/evaluate", JSON_TYPE, '{"gold": "(S (A a) (B b))", "predicted": "(S a b)"}'),
  ...["/", "/metrics", "/v1/models", "/v1/runs", "/healthz", "/openapi.json"].map((path) => ({
    head: [`GET ${path} HTTP/1.1`, "accept-encoding: gzip", "range: bytes=0-9"],
    body: Buffer.alloc(0),
  })),
];

function post(path, headers, body) {
  return { head: [`POST ${path} HTTP/1.1`, ...headers], body: Buffer.from(body) };
}

/** The bytes of a request; the length is that of the body it is given. */
function bytesOf({ head, body }, port) {
  const length = body.length > 0 ? [`content-length: ${body.length}`] : [];
  const lines = [...head, `host: 127.0.0.1:${port}`, "connection: close", ...length];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]);
}

/** The body altered, or the head, or both together, or the request cut off. */
function altered({ head, body }, port, random) {
  const whole = bytesOf({ head, body }, port);
  const kind = random.below(4);
  if (kind === 0) return bytesOf({ head, body: mutate(body, random) }, port);
  if (kind === 1) {
    const size = whole.length - body.length;
    return Buffer.concat([mutate(whole.subarray(0, size), random), body]);
  }
  return kind === 2 ? mutate(whole, random) : whole.subarray(0, random.below(whole.length));
}

export class Service {
  #child;
  #port;
  #exited;
  #stderr = "";
  #asked = 0;
  #sound;

  static async start(model) {
    const service = new Service();
    await service.#open(model);
    service.#sound = await service.#askSound();
    if (!service.#sound.startsWith("200 ")) throw new Error(service.#sound);
    return service;
  }

  async #open(model) {
    const args = [MAIN, "serve", "--port", "0", "--quiet", "--threads", "1", "--model", model];
    this.#child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#exited = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => resolve(code ?? signal)),
    );
    this.#child.stderr.on("data", (chunk) => {
      this.#stderr += chunk;
    });
    this.#port = await new Promise((resolve, reject) => {
      this.#child.stdout.on("data", (chunk) => {
        const port = / on http:\S+:(\d+)\//.exec(chunk)?.[1];
        if (port) resolve(Number(port));
      });
      this.#exited.then((code) => reject(new Error(`serve ended with ${code}: ${this.#stderr}`)));
    });
  }

  /** Sends one altered request; `code` is the class of its answer, `problem` what was wrong. */
  async ask(random) {
    const bytes = altered(REQUESTS[random.below(REQUESTS.length)], this.#port, random);
    const answer = await this.#send(bytes);
    const request = bytes.toString("latin1").slice(0, 2000);
    if (answer === undefined) return { problem: `no answer in ${LIMIT_MS / 1000} s: ${request}` };
    const status = /^HTTP\/1\.1 (\d)\d\d /.exec(answer)?.[1];
    if (answer !== "" && (status === undefined || status === "5")) {
      return { problem: `${answer.slice(0, 500)}\nto ${request}` };
    }
    this.#asked += 1;
    if (this.#asked % CHECK_EVERY === 0 && (await this.#askSound()) !== this.#sound) {
      return { problem: `a sound request gets another answer after ${request}` };
    }
    return { code: status === undefined ? "closed" : `${status}xx` };
  }

  /** The status and the body of the answer to a sound request. */
  async #askSound() {
    const answer = (await this.#send(bytesOf(SOUND, this.#port))) ?? "none";
    const [head, ...body] = answer.split("\r\n\r\n");
    return `${head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)} ${body.join("\r\n\r\n")}`;
  }

  /** What came back until the connection was closed; undefined if that did not happen in time. */
  #send(bytes) {
    return new Promise((resolve) => {
      const socket = connect(this.#port, "127.0.0.1");
      const chunks = [];
      const timer = setTimeout(() => {
        resolve(undefined);
        socket.destroy();
      }, LIMIT_MS);
      socket.setTimeout(SILENCE_MS, () => socket.end());
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", () => {});
      socket.on("close", () => {
        clearTimeout(timer);
        resolve(Buffer.concat(chunks).toString("latin1"));
      });
      socket.write(bytes);
    });
  }

  /** Ends the service; what it said, or how it ended, if that was not as it should be. */
  async stop() {
    this.#child.kill("SIGTERM");
    const code = await this.#exited;
    if (code !== 0) return `serve ended with ${code}: ${this.#stderr.slice(-2000)}`;
    return this.#stderr === "" ? undefined : `serve said ${this.#stderr.slice(-2000)}`;
  }
}
