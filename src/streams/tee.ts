/**
 * One stream for several readers: each gets every item. Items that a reader has not read yet are kept
 * for it.
 */

export function tee<Item>(source: AsyncIterable<Item>, readers = 2): AsyncGenerator<Item>[] {
  const shared = new SharedSource(source);
  return Array.from({ length: readers }, () => shared.read());
}

class SharedSource<Item> {
  readonly #source: AsyncIterator<Item>;
  readonly #queues = new Set<Item[]>();
  #asked: Promise<void> | undefined;
  #end: { error?: unknown } | undefined;

  constructor(source: AsyncIterable<Item>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  read(): AsyncGenerator<Item> {
    const queue: Item[] = [];
    this.#queues.add(queue);
    return this.#drain(queue);
  }

  async *#drain(queue: Item[]): AsyncGenerator<Item> {
    try {
      for (;;) {
        while (queue.length === 0 && !this.#end) await this.#ask();
        if (queue.length === 0) break;
        yield queue.shift() as Item;
      }
      if (this.#end?.error) throw this.#end.error;
    } finally {
      this.#queues.delete(queue);
      if (this.#queues.size === 0) await this.#source.return?.();
    }
  }

  /** The next item for all; readers that ask at the same time wait for the same one. */
  #ask(): Promise<void> {
    this.#asked ??= this.#next().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #next(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      if (done) this.#end = {};
      else for (const queue of this.#queues) queue.push(value);
    } catch (error) {
      this.#end = { error };
    }
  }
}
