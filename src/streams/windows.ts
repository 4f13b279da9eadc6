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

/**
 * A source that fails does so after what it gave before.
 *
 * @param lists the items in lists of any length, to which windows pay no regard.
 */
export async function* cutWindows<Item>(
  lists: AsyncIterable<readonly Item[]>,
  { wordsOf, isLive = false }: WindowOptions<Item>,
): AsyncGenerator<Item[]> {
  const source = new Lookahead(lists);
  try {
    while (!source.end) {
      const window: Item[] = [];
      let words = 0;
      let pause: Pause | undefined;
      while (window.length < WINDOW_ITEMS) {
        if (!source.hasNext && !(await source.arrives(pause))) break;
        const item = source.next;
        const size = wordsOf(item);
        if (window.length > 0 && words + size > MOST_WORDS) break;
        source.take();
        window.push(item);
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

/** A stream whose next items can be requested and, if they do not arrive in time, taken later. */
class Lookahead<Item> {
  readonly #source: AsyncIterator<readonly Item[]>;
  #asked: Promise<void> | undefined;
  #list: readonly Item[] = [];
  #taken = 0;
  end: { error?: unknown } | undefined;

  constructor(lists: AsyncIterable<readonly Item[]>) {
    this.#source = lists[Symbol.asyncIterator]();
  }

  get #isWaiting(): boolean {
    return this.#asked !== undefined;
  }

  /** Whether the next item is at hand. */
  get hasNext(): boolean {
    return this.#taken < this.#list.length;
  }

  get next(): Item {
    return this.#list[this.#taken] as Item;
  }

  take(): void {
    this.#taken += 1;
  }

  /** Whether there is a next item; false at the end, and where it has not come when the pause is over. */
  async arrives(pause: Pause | undefined): Promise<boolean> {
    while (!this.hasNext && !this.end) {
      this.#asked ??= this.#ask();
      await (pause ? Promise.race([this.#asked, pause.over]) : this.#asked);
      if (this.#isWaiting) break;
    }
    return this.hasNext;
  }

  async #ask(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      if (done) this.end = {};
      else [this.#list, this.#taken] = [value, 0];
    } catch (error) {
      this.end = { error };
    }
    this.#asked = undefined;
  }

  /** A source that is still waiting, such as a terminal, is not waited for. */
  async close(): Promise<void> {
    const closed = this.#source.return?.();
    if (this.#isWaiting) closed?.catch(() => {});
    else await closed;
  }
}

/** Items for what takes lists: each is a list of its own. */
export async function* singly<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  for await (const item of items) yield [item];
}
