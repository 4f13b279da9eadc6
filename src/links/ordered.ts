/**
 * Work that is done side by side and comes out in order. No more is begun than the limit allows, so
 * a slow reader of the results holds back the source. If the source fails, what it gave before is
 * still worked on and comes out first.
 */

export async function* mapOrdered<Item, Result>(
  source: AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const items = source[Symbol.asyncIterator]();
  const begun: Promise<Result>[] = [];
  let end: { error?: unknown } | undefined;
  try {
    for (;;) {
      while (!end && begun.length < limit) {
        const next = await items.next().catch((error: unknown) => ({ error }));
        if ("error" in next) end = next;
        else if (next.done) end = {};
        else begun.push(start(work(next.value)));
      }
      const first = begun.shift();
      if (!first) break;
      yield await first;
    }
    if (end && "error" in end) throw end.error;
  } finally {
    await items.return?.();
  }
}

/** A failure is met in its turn; until then it must not count as unhandled. */
function start<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => {});
  return result;
}
