/**
 * Limits what one client may ask for in a minute: requests, and words to parse. A client is its key or
 * its address. Each has a bucket that fills within a minute; unused amounts do not add up beyond that.
 */

import { isIPv6 } from "node:net";
import { ServiceError } from "./service-error.js";

export interface ClientRates {
  /** Per minute and client; no limit by default. */
  readonly requests?: number | undefined;
  readonly words?: number | undefined;
}

type Measure = keyof ClientRates;

/** How much had been used at a time, in milliseconds. As time passes, it counts less. */
interface Usage {
  used: number;
  at: number;
}

/** With more clients than this, the least recently seen is forgotten. */
const MOST_CLIENTS = 10_000;
const MINUTE = 60_000;

export class ClientLimits {
  readonly #rates: ClientRates;
  readonly #now: () => number;
  readonly #usage = new Map<string, Usage>();

  constructor(rates: ClientRates, now: () => number = () => performance.now()) {
    this.#rates = rates;
    this.#now = now;
  }

  /** Throws if the amount exceeds the client's rate; does not count it. */
  check(client: string, measure: Measure, amount: number): void {
    const rate = this.#rates[measure];
    if (rate === undefined) return;
    const excess = this.#usedBy(client, measure, rate) + amount - rate;
    if (excess <= 0) return;
    throw new ServiceError(
      429,
      "rate_limited",
      `a client may ask for ${rate} ${measure} a minute; try again later`,
      { "retry-after": `${Math.ceil((60 * excess) / rate)}` },
    );
  }

  use(client: string, measure: Measure, amount: number): void {
    const rate = this.#rates[measure];
    if (rate === undefined) return;
    const key = `${measure} ${client}`;
    const used = this.#usedBy(client, measure, rate) + amount;
    // The map is in the order of last use.
    this.#usage.delete(key);
    this.#usage.set(key, { used, at: this.#now() });
    if (this.#usage.size > MOST_CLIENTS) this.#usage.delete(this.#usage.keys().next().value ?? "");
  }

  #usedBy(client: string, measure: Measure, rate: number): number {
    const usage = this.#usage.get(`${measure} ${client}`);
    if (!usage) return 0;
    return Math.max(0, usage.used - (rate * (this.#now() - usage.at)) / MINUTE);
  }
}

/**
 * An address as a client. For IPv6 it is the network, since one machine can have any number of addresses.
 * A closed socket has no address.
 */
export function clientOfAddress(address: string | undefined): string {
  if (address === undefined) return "";
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address.slice(0, 64);
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const groups = (part: string) => part.split(":").filter(Boolean);
  const [first, last] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const all = [...first, ...Array<string>(zeros).fill("0"), ...last];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
