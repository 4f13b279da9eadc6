/**
 * Does work in parallel and returns the results in order, each as soon as its turn has come. The number
 * of running items is limited, so a slow reader of the results holds back the source. If the source
 * fails, the items before that are still processed and returned first.
 */

export async function* mapOrdered<Item, Result>(
  source: AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const items = source[Symbol.asyncIterator]();
  const begun: Promise<Result>[] = [];
  let end: { error?: unknown } | undefined;
  let asked: Promise<void> | undefined;
  const ask = async () => {
    const next = await items.next().catch((error: unknown) => ({ error }));
    asked = undefined;
    if ("error" in next) end = next;
    else if (next.done) end = {};
    else begun.push(start(work(next.value)));
  };
  try {
    for (;;) {
      if (!end && begun.length < limit) asked ??= ask();
      const first = begun[0];
      if (asked && !(first && (await isSooner(first, asked)))) await asked;
      else if (first) yield await first.finally(() => begun.shift());
      else break;
    }
    if (end?.error !== undefined) throw end.error;
  } finally {
    const closed = items.return?.();
    // A source that is waiting for more, such as a terminal, is not waited for.
    if (asked) closed?.catch(() => {});
    else await closed;
  }
}

/** A failure is met in its turn; until then it must not count as unhandled. */
function start<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => {});
  return result;
}

/** Whether the first promise is settled before the other. */
function isSooner(first: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  const settled = first.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, other.then(() => false)]);
}
