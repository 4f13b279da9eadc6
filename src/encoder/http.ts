/**
 * Requests for large files, with two things that Node's own `fetch` lacks: proxies from the
 * environment, and a look at every redirect. The hub gives a file's hash in the first response and
 * sends the file from another host in the last. undici does the work; it is loaded with the first
 * request.
 */

import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { InputError } from "../errors.js";
import type { Environment } from "./environment.js";

export type Headers = Readonly<Record<string, string>>;
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Still to be read, or destroyed. */
  readonly body: Readable;
  /** All answers on the way, the first one first. */
  readonly hops: readonly { readonly url: URL; readonly headers: AnswerHeaders }[];
}

/** A request to be sent. */
export interface Message {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly headers: Headers;
  readonly body?: Uint8Array | Readable | undefined;
}

const MOST_REDIRECTS = 10;
const REDIRECTS = [301, 302, 303, 307, 308];
const IDLE_TIMEOUT_MS = 30_000;

export class HttpClient {
  readonly #env: Environment;
  #dispatcher: Dispatcher | undefined;

  /** Proxies are those of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case. */
  constructor(env: Environment) {
    this.#env = env;
  }

  /** Follows redirects; `authorization` is sent to the first host only. */
  async get(url: URL, headers: Headers = {}): Promise<Answer> {
    return this.send(url, { method: "GET", headers });
  }

  /** The same for any method. A stream can be sent once, so its request must not be redirected. */
  async send(url: URL, { method, headers, body }: Message): Promise<Answer> {
    const { request } = await import("undici");
    this.#dispatcher ??= await proxied(this.#env);
    const hops: { url: URL; headers: AnswerHeaders }[] = [];
    let at = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const { authorization, ...open } = headers;
      const told = at.origin === url.origin && authorization ? { ...open, authorization } : open;
      const sent = { method, headers: told, body: body ?? null, dispatcher: this.#dispatcher };
      const answer = await request(at, sent);
      hops.push({ url: at, headers: answer.headers });
      const { location } = answer.headers;
      if (!REDIRECTS.includes(answer.statusCode) || typeof location !== "string") {
        return { status: answer.statusCode, headers: answer.headers, body: answer.body, hops };
      }
      await answer.body.dump();
      at = new URL(location, at);
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirects from ${url.href}`);
  }

  /** Drops all connections. */
  async close(): Promise<void> {
    await this.#dispatcher?.destroy();
  }
}

async function proxied(env: Environment): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, Pool } = await import("undici");
  const timeouts = { headersTimeout: IDLE_TIMEOUT_MS, bodyTimeout: IDLE_TIMEOUT_MS };
  const read = (name: string) => env[name] || env[name.toUpperCase()] || "";
  return new EnvHttpProxyAgent({
    ...timeouts,
    httpProxy: proxyAddress(read("http_proxy")),
    httpsProxy: proxyAddress(read("https_proxy")),
    noProxy: read("no_proxy"),
    // Plain addresses are asked of the proxy itself; not every one grants tunnels to their ports.
    proxyTunnel: false,
    // The connection to the proxy would wait for five minutes.
    clientFactory: (origin, options) => new Pool(origin, { ...options, ...timeouts }),
  });
}

/** An address with its scheme, which may be left out. */
function proxyAddress(value: string): string {
  if (value === "") return "";
  const address = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(address)) return address;
  throw new InputError(
    `the proxy's address ${JSON.stringify(value)} is not valid`,
    {},
    "correct HTTPS_PROXY or HTTP_PROXY",
  );
}
