/**
 * Who is being asked what: while somebody looks at a question, nobody else is asked about that sentence. Whoever goes
 * away without an answer loses the question after a while, and others get it.
 */

/** A question that somebody is looking at. */
export interface Lease {
  readonly question: string;
  readonly sentence: string;
  /** How probable "yes" was for the parser that asked. */
  readonly probability?: number | undefined;
}

/** After so many seconds without a sign of life, a question is free again. */
const LEASE_SECONDS = 120;

export class Leases {
  readonly #held = new Map<string, Lease & { until: number }>();
  readonly #now: () => number;

  /** @param now the time in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Gives a question to a person, in place of the one that the person had. */
  take(by: string, lease: Lease): void {
    this.#held.set(by, { ...lease, until: this.#until() });
  }

  /** The question of a person, who is still there; undefined if there is none, or its time is over. */
  renew(by: string): Lease | undefined {
    const held = this.#live(by);
    if (held) held.until = this.#until();
    return held;
  }

  /** Frees the question of a person. */
  release(by: string): void {
    this.#held.delete(by);
  }

  /** Whether somebody else is being asked about the sentence. */
  isTaken(sentence: string, by: string): boolean {
    return [...this.#held.keys()].some(
      (other) => other !== by && this.#live(other)?.sentence === sentence,
    );
  }

  /** The people who are being asked something now. */
  people(): string[] {
    return [...this.#held.keys()].filter((by) => this.#live(by));
  }

  #live(by: string): (Lease & { until: number }) | undefined {
    const held = this.#held.get(by);
    if (!held || held.until > this.#now()) return held;
    this.#held.delete(by);
    return undefined;
  }

  #until(): number {
    return this.#now() + 1000 * LEASE_SECONDS;
  }
}
