/** The signals that end a program: the first is heeded in an orderly way, the second ends it at once. */

const ENDING = ["SIGINT", "SIGTERM"] as const;

/** Calls back at the first signal. Until then, `release` takes the handlers away. */
export function onEndingSignal(handle: (signal: (typeof ENDING)[number]) => void): {
  release(): void;
} {
  const release = () => {
    for (const signal of ENDING) process.off(signal, onSignal);
  };
  const onSignal = (signal: (typeof ENDING)[number]) => {
    release();
    handle(signal);
  };
  for (const signal of ENDING) process.on(signal, onSignal);
  return { release };
}
