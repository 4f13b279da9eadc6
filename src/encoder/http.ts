/**
 * GET requests with what fetching large files needs and Node's own `fetch` does not give: proxies from
 * the environment, and every redirect in sight, since the hub tells a file's hash in the first answer
 * and sends it from another host in the last.
 */

import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  /** Of which the body is still to be read. */
  readonly response: IncomingMessage;
  /** The headers of all answers on the way, the first one first. */
  readonly hops: readonly { url: URL; headers: IncomingMessage["headers"] }[];
}

const MOST_REDIRECTS = 10;
const IDLE_TIMEOUT_MS = 30_000;

/** Follows redirects; `authorization` is told to the first host only. */
export async function get(url: URL, headers: Headers, env: Environment): Promise<Answer> {
  const hops: { url: URL; headers: IncomingMessage["headers"] }[] = [];
  let at = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const { authorization, ...open } = headers;
    const isFirstHost = at.origin === url.origin;
    const told = isFirstHost && authorization ? { ...open, authorization } : open;
    const response = await getOnce(at, told, env);
    hops.push({ url: at, headers: response.headers });
    const { location } = response.headers;
    if (!isRedirect(response.statusCode) || !location) return { response, hops };
    response.resume();
    at = new URL(location, at);
  }
  throw new Error(`more than ${MOST_REDIRECTS} redirects from ${url.href}`);
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && [301, 302, 303, 307, 308].includes(status);
}

async function getOnce(url: URL, headers: Headers, env: Environment): Promise<IncomingMessage> {
  const proxy = proxyFor(url, env);
  if (!proxy) return send(url, { headers });
  if (url.protocol === "http:") {
    const whole = { ...headers, ...proxyAuthorization(proxy), host: url.host };
    return send(proxy, { path: url.href, headers: whole });
  }
  const socket = await encrypt(await openTunnel(url, proxy), url);
  // An agent, even one of its own, would make another connection.
  return send(url, { headers, createConnection: () => socket });
}

function send(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const sent = request(url, options, resolve);
    sent.setTimeout(IDLE_TIMEOUT_MS, () => sent.destroy(new Error(`no answer from ${url.host}`)));
    sent.once("error", reject);
    sent.end();
  });
}

function openTunnel(url: URL, proxy: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === "https:" ? requestHttps : requestHttp;
    const host = `${url.hostname}:${url.port || 443}`;
    const headers = { ...proxyAuthorization(proxy), host };
    const sent = request(proxy, { method: "CONNECT", path: host, headers, agent: false });
    sent.setTimeout(IDLE_TIMEOUT_MS, () =>
      sent.destroy(new Error(`no answer from proxy ${proxy.host}`)),
    );
    sent.once("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else reject(new Error(`proxy ${proxy.host} answered ${response.statusCode} to CONNECT`));
    });
    sent.once("error", reject);
    sent.end();
  });
}

function encrypt(tunnel: Socket, url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ socket: tunnel, servername: url.hostname });
    socket.setTimeout(IDLE_TIMEOUT_MS, () =>
      socket.destroy(new Error(`no answer from ${url.host}`)),
    );
    socket.once("secureConnect", () => resolve(socket));
    socket.once("error", reject);
  });
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for, in upper or lower case. */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const read = (name: string) => env[name] || env[name.toUpperCase()];
  const proxy = read(url.protocol === "https:" ? "https_proxy" : "http_proxy");
  const spared = (read("no_proxy") ?? "").split(",").map((entry) => entry.trim().toLowerCase());
  if (!proxy || spared.some((entry) => isSpared(url, entry))) return undefined;
  return new URL(proxy.includes("://") ? proxy : `http://${proxy}`);
}

function isSpared(url: URL, entry: string): boolean {
  if (!entry) return false;
  if (entry === "*") return true;
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (port && port !== (url.port || (url.protocol === "https:" ? "443" : "80"))) return false;
  const domain = name.replace(/^\*?\./, "");
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}
