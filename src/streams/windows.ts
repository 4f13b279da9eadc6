/**
 * Cuts a stream into windows. The sentences of a window are sorted by length and encoded together, so
 * larger windows are more efficient. A window is bounded, and so is memory. If a live stream pauses,
 * for example when someone types, what has arrived does not wait.
 */

export const WINDOW_ITEMS = 1024;
const MOST_WORDS = 50_000;

/** How long the first of a window waits for the others, in milliseconds. */
const WINDOW_TIMEOUT_MS = 100;

export interface WindowOptions<Item> {
  readonly wordsOf: (item: Item) => number;
  /** Whether a window ends where the stream pauses. Windows then depend on the time. */
  readonly isLive?: boolean;
}

/** A source that fails does so after what it gave before. */
export async function* cutWindows<Item>(
  items: AsyncIterable<Item>,
  { wordsOf, isLive = false }: WindowOptions<Item>,
): AsyncGenerator<Item[]> {
  const source = new Lookahead(items);
  try {
    while (!source.end) {
      const window: Item[] = [];
      let words = 0;
      let pause: Pause | undefined;
      while (window.length < WINDOW_ITEMS) {
        const arrived = await source.next(pause);
        if (!arrived) break;
        const size = wordsOf(arrived.item);
        if (window.length > 0 && words + size > MOST_WORDS) {
          source.putBack(arrived.item);
          break;
        }
        window.push(arrived.item);
        words += size;
        if (isLive) pause ??= new Pause();
      }
      pause?.end();
      if (window.length > 0) yield window;
    }
    if (source.end.error) throw source.end.error;
  } finally {
    await source.close();
  }
}

class Pause {
  readonly over: Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.over = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, WINDOW_TIMEOUT_MS);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** A stream whose next item can be requested and, if it does not arrive in time, taken later. */
class Lookahead<Item> {
  readonly #source: AsyncIterator<Item>;
  #asked: Promise<void> | undefined;
  #arrived: { item: Item } | undefined;
  end: { error?: unknown } | undefined;

  constructor(items: AsyncIterable<Item>) {
    this.#source = items[Symbol.asyncIterator]();
  }

  /** The next item; undefined at the end, and where it has not come when the pause is over. */
  async next(pause: Pause | undefined): Promise<{ item: Item } | undefined> {
    if (this.end) return undefined;
    this.#asked ??= this.#ask();
    await (pause ? Promise.race([this.#asked, pause.over]) : this.#asked);
    const arrived = this.#arrived;
    this.#arrived = undefined;
    if (arrived) this.#asked = undefined;
    return arrived;
  }

  putBack(item: Item): void {
    this.#arrived = { item };
    this.#asked = Promise.resolve();
  }

  async #ask(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      if (done) this.end = {};
      else this.#arrived = { item: value };
    } catch (error) {
      this.end = { error };
    }
  }

  /** A source that is still waiting, such as a terminal, is not waited for. */
  async close(): Promise<void> {
    const closed = this.#source.return?.();
    if (this.#asked && !this.end) closed?.catch(() => {});
    else await closed;
  }
}
