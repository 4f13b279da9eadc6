/**
 * Decides which requests are let in. A web page on another site must not be able to use a local
 * service. A page whose name was made to resolve to this machine (DNS rebinding) is recognised by its
 * `Host`: names must be known; addresses pass, since no name was resolved. A page that posts across
 * sites is recognised by its `Origin`. If there are keys, everything except the health checks needs
 * one.
 */

import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { ApiKeys } from "./api-keys.js";
import { ServiceError } from "./service-error.js";

export interface AccessSettings {
  /** The host that the service listens on. */
  readonly host: string;
  /** Further names that the service is known by; `*` for any. */
  readonly allowHosts: readonly string[];
  /** Origins whose pages may use the service. */
  readonly cors: readonly string[];
  readonly keys: ApiKeys | undefined;
}

export class Access {
  readonly #names: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #keys: ApiKeys | undefined;

  constructor({ host, allowHosts, cors, keys }: AccessSettings) {
    this.#names = new Set(["localhost", host, ...allowHosts].map((name) => name.toLowerCase()));
    this.#origins = new Set(cors);
    this.#keys = keys;
  }

  /** HTTP/1.0 may leave the host out; browsers never do. */
  checkHost({ host }: IncomingHttpHeaders): void {
    if (host === undefined || this.#names.has("*")) return;
    const name = hostName(host);
    if (isAddress(name) || name.endsWith(".localhost") || this.#names.has(name)) return;
    throw new ServiceError(
      421,
      "unknown_host",
      `this service does not answer to the name ${JSON.stringify(name)}: start it with --allow-host ${name || "NAME"}`,
    );
  }

  checkOrigin({ origin, host }: IncomingHttpHeaders): void {
    if (origin === undefined || isOwn(origin, host ?? "") || this.#origins.has(origin)) return;
    throw new ServiceError(
      403,
      "foreign_origin",
      "pages of other origins may not use this service, unless it is started with --cors ORIGIN",
    );
  }

  /** The client that the key belongs to; undefined if no keys are needed. */
  identify({ authorization }: IncomingHttpHeaders): string | undefined {
    if (!this.#keys) return undefined;
    const client = this.#keys.find(authorization);
    if (client !== undefined) return client;
    throw new ServiceError(401, "unauthorized", "a key is needed: Authorization: Bearer KEY", {
      // With the second one a browser asks its user for the key.
      "www-authenticate": ['Bearer realm="bracken"', 'Basic realm="bracken", charset="UTF-8"'],
    });
  }
}

/** The name in a `Host` header, without the port; empty if there is none. */
function hostName(host: string): string {
  return parseUrl(`http://${host}`)?.hostname.replace(/\.$/, "") ?? "";
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Whether a page came from this service. A proxy may speak TLS, so the scheme may differ. */
function isOwn(origin: string, host: string): boolean {
  const page = parseUrl(origin);
  return page !== undefined && page.host === parseUrl(`${page.protocol}//${host}`)?.host;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
