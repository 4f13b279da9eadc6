/** A look at the first items of a stream, which is then read from its beginning. */

/**
 * Reads items until `isEnough` is true of one or the stream ends.
 * @returns a stream of all items, those that were read first.
 */
export async function readAhead<Item>(
  source: AsyncIterable<Item>,
  isEnough: (item: Item) => boolean,
): Promise<AsyncGenerator<Item>> {
  const items = source[Symbol.asyncIterator]();
  const read: Item[] = [];
  for (;;) {
    const { done, value } = await items.next();
    if (done) break;
    read.push(value);
    if (isEnough(value)) break;
  }
  return resume(read, items);
}

async function* resume<Item>(
  read: readonly Item[],
  rest: AsyncIterator<Item>,
): AsyncGenerator<Item> {
  try {
    yield* read;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}
