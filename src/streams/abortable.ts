/** A stream that ends when its reader's signal is aborted, even while it waits for more. */

/** @throws the signal's reason once it is aborted. */
export function abortable<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncIterable<Item> {
  return signal ? untilAborted(source, signal) : source;
}

async function* untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  signal.throwIfAborted();
  const items = source[Symbol.asyncIterator]();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      const next = await Promise.race([aborted, items.next()]);
      if (next.done) return;
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    const closed = items.return?.();
    // A source that waits for what may never come is not waited for.
    if (signal.aborted) closed?.catch(() => {});
    else await closed;
  }
}
