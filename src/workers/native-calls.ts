/**
 * Keeps a process from ending while one of its workers is inside ONNX Runtime.
 *
 * ONNX Runtime's binding computes within a synchronous call on the worker's own thread. When Node ends a
 * worker (`process.exit()`, an uncaught exception, `worker.terminate()`) it forbids that thread to run
 * JavaScript; the call returns, cannot hand over its result, cannot even throw, and aborts the process
 * (`Napi::Error`, SIGABRT). Loading the binding has the same flaw. So each worker counts the calls it is
 * in, in memory shared with the threads that started it, and their "exit" listeners let no call begin
 * and wait for those under way. Nothing can do that for `worker.terminate()`, so workers are asked to
 * close instead, and where a caller could terminate the thread that started them they are processes.
 *
 * Sessions run in browsers too, so this file imports nothing of Node's.
 */

/** Cells of the shared memory: how many calls the worker is in, and whether it must begin none. */
const [CALLS, IS_ENDING] = [0, 1];

/** A run takes a second at most; after this long something else is wrong, and waiting is no help. */
const LONGEST_WAIT_MS = 30_000;

interface NodeProcess {
  on(event: "exit", listener: () => void): void;
}

const node = (globalThis as { process?: NodeProcess }).process;

/** This worker's own cell, and those of the workers it is nested in; none in other threads. */
let cells: readonly Int32Array[] = [];
/** How many calls this worker has counted and not ended. */
let counted = 0;

function count(calls: number): void {
  counted += calls;
  for (const cell of cells) add(cell, calls);
}

function add(cell: Int32Array, calls: number): void {
  Atomics.add(cell, CALLS, calls);
  Atomics.notify(cell, CALLS);
}

/**
 * Called in a worker once its modules, and with them the binding, are loaded. Loading counts as a call,
 * which the thread that started the worker has counted.
 */
export function beginNativeCalls(shared: readonly Int32Array[]): void {
  cells = shared;
  counted = 1;
  node?.on("exit", () => count(-counted));
  count(-1);
}

/** Makes a call that the process must not end in. In a worker that is about to end it never begins. */
export async function nativeCall<Result>(call: () => Promise<Result>): Promise<Result> {
  // Counted first: the thread that ends the worker first forbids calls and then looks at their number.
  count(1);
  try {
    if (!cells.some((cell) => Atomics.load(cell, IS_ENDING) === 1)) return await call();
  } finally {
    count(-1);
  }
  return new Promise(() => {});
}

/** The workers of this thread that may be inside native code. */
const watched = new Set<Int32Array>();
let isListening = false;

export interface WatchedCalls {
  /** What the worker begins with. */
  readonly cells: readonly Int32Array[];
  /** Called when the worker has ended. */
  forget(): void;
}

/** From here on, this thread does not end while the worker to be started is inside native code. */
export function watchNativeCalls(): WatchedCalls {
  if (!isListening) node?.on("exit", waitForNativeCalls);
  isListening = true;
  const cell = new Int32Array(new SharedArrayBuffer(8));
  const chain = [...cells, cell];
  for (const each of chain) add(each, 1);
  watched.add(cell);
  const forget = () => {
    watched.delete(cell);
    // A worker that died while loading has not decreased the count.
    const left = Atomics.load(cell, CALLS);
    for (const each of chain) add(each, -left);
  };
  return { cells: chain, forget };
}

function waitForNativeCalls(): void {
  for (const cell of watched) Atomics.store(cell, IS_ENDING, 1);
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (const cell of watched) {
    let calls = Atomics.load(cell, CALLS);
    while (calls > 0 && Date.now() < deadline) {
      Atomics.wait(cell, CALLS, calls, deadline - Date.now());
      calls = Atomics.load(cell, CALLS);
    }
  }
}
