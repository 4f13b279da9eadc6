/** A worker that answers, fails, dies, is called off and closed, and the one that comes after it. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { InputError, WorkFailure } from "../../src/errors.js";
import { ServiceError } from "../../src/service/service-error.js";
import { ClosedError, WorkerHandle } from "../../src/workers/worker-handle.js";
import { temporaryFolder } from "../temporary.js";
import { writeScript } from "./scripts.js";

const folder = temporaryFolder();

/** A worker that does as its requests say; `gate` is a file that it waits for. */
function script(name: string, prepare = ""): URL {
  return writeScript(join(folder, name), prepare, [
    `if (request.fail === "input") throw new InputError("bad", { file: "f", line: 3 }, "mend it");`,
    `if (request.fail === "work") throw new WorkFailure("gone wrong", "try again");`,
    `if (request.fail === "service")
       throw new ServiceError(429, "too_busy", "too many", { "retry-after": "5" });`,
    `if (request.fail === "type") null.field;`,
    `if (request.fail === "system") readFileSync("/no/such/file");`,
    `if (request.fail === "die") { setImmediate(() => { throw new Error("broken"); }); await never; }`,
    `if (request.fail === "exit") process.exit(3);`,
    `for (let part = 0; part < (request.parts ?? 0); part++) emit(part);`,
    `if (request.gate) await opened(request.gate, signal);`,
    `return "did " + request.name;`,
  ]);
}

interface Request {
  readonly name?: string;
  readonly fail?: "input" | "work" | "service" | "type" | "system" | "die" | "exit";
  readonly parts?: number;
  readonly gate?: string;
}

type Handle = WorkerHandle<Request, string, number>;
const start = (file: URL, options = {}): Promise<Handle> =>
  WorkerHandle.start(file, undefined, options);
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: Error) => error,
  );

test("answers come in order, each after its parts", async () => {
  const worker = await start(script("fine.mjs"));
  const seen: unknown[] = [];
  const ask = async (request: Request) =>
    seen.push(await worker.ask(request, { onPart: (part) => seen.push(part) }));
  await Promise.all([
    ask({ name: "a", parts: 2 }),
    ask({ name: "b" }),
    ask({ name: "c", parts: 3 }),
  ]);
  expect(seen).toEqual([0, 1, "did a", "did b", 0, 1, 2, "did c"]);
  await worker.close();
});

test("errors arrive as what they are", async () => {
  const worker = await start(script("fails.mjs"));
  const input = await failure(worker.ask({ fail: "input" }));
  expect(input).toBeInstanceOf(InputError);
  expect(input).toMatchObject({
    problem: "bad",
    place: { file: "f", line: 3 },
    remedy: "mend it",
    message: "f:3: bad",
  });
  const work = await failure(worker.ask({ fail: "work" }));
  expect(work).toBeInstanceOf(WorkFailure);
  expect(work).toMatchObject({ message: "gone wrong", remedy: "try again" });
  const service = await failure(worker.ask({ fail: "service" }));
  expect(service).toBeInstanceOf(ServiceError);
  expect(service).toMatchObject({
    status: 429,
    code: "too_busy",
    message: "too many",
    headers: { "retry-after": "5" },
  });
  const type = await failure(worker.ask({ fail: "type" }));
  expect(type?.name).toBe("TypeError");
  expect(type?.stack).toContain("fails.mjs");
  expect(await failure(worker.ask({ fail: "system" }))).toMatchObject({ code: "ENOENT" });
  const unsent = worker.ask({ name: (() => "") as unknown as string });
  expect((await failure(unsent))?.name).toBe("DataCloneError");
  expect(await worker.ask({ name: "after" })).toBe("did after");
  await worker.close();
});

test("a worker that dies fails what it has in hand, and another goes on", async () => {
  const restarts: string[] = [];
  const worker = await start(script("dies.mjs"), {
    restart: true,
    onRestart: (error: Error) => restarts.push(error.message),
  });
  const dead = [worker.ask({ fail: "die" }), worker.ask({ name: "behind" })];
  for (const asked of dead) await expect(asked).rejects.toThrow("broken");
  expect(await worker.ask({ name: "next" })).toBe("did next");
  await expect(worker.ask({ fail: "exit" })).rejects.toThrow("the worker ended with code 3");
  expect(await worker.ask({ name: "last" })).toBe("did last");
  expect(restarts).toEqual(["broken", "the worker ended with code 3"]);
  await worker.close();
});

test("a worker that is not to be restarted is lost, and says why from then on", async () => {
  const lost: string[] = [];
  const worker = await start(script("lost.mjs"), {
    onLost: (error: Error) => lost.push(error.message),
  });
  await expect(worker.ask({ fail: "die" })).rejects.toThrow("broken");
  await expect(worker.ask({ name: "next" })).rejects.toThrow("broken");
  expect(lost).toEqual(["broken"]);
  await worker.close();
});

test("a worker that cannot begin says why, at once or when it is restarted", async () => {
  const never = script("never.mjs", 'throw new InputError("no model");');
  await expect(start(never)).rejects.toThrow(InputError);
  const missing = pathToFileURL(join(folder, "missing.mjs"));
  await expect(start(missing)).rejects.toThrow("missing.mjs");
  const unsent = WorkerHandle.start(never, () => {});
  await expect(unsent).rejects.toThrow("could not be cloned");
  const flag = join(folder, "began");
  const once = script(
    "once.mjs",
    `if (existsSync(${JSON.stringify(flag)})) throw new Error("only once");
     writeFileSync(${JSON.stringify(flag)}, "");`,
  );
  const worker = await start(once, { restart: true });
  const dead = worker.ask({ fail: "die" });
  await expect(dead).rejects.toThrow("broken");
  await expect(worker.ask({ name: "next" })).rejects.toThrow("only once");
  await expect(worker.ask({ name: "later" })).rejects.toThrow("only once");
  await worker.close();
});

test("a request that is called off rejects at once, and is not begun if it still waits", async () => {
  const worker = await start(script("aborts.mjs"));
  const gate = join(folder, "abort-gate");
  const parts: number[] = [];
  const inHand = new AbortController();
  const waiting = new AbortController();
  let done = 0;
  const onDone = () => {
    done += 1;
  };
  const first = worker.ask(
    { name: "first", gate },
    { signal: inHand.signal, onPart: (part) => parts.push(part), onDone },
  );
  const second = worker.ask(
    { fail: "die" },
    { signal: waiting.signal, onPart: (part) => parts.push(part), onDone },
  );
  waiting.abort(new Error("not that one"));
  await expect(second).rejects.toThrow("not that one");
  inHand.abort(new Error("nor this one"));
  await expect(first).rejects.toThrow("nor this one");
  expect(done).toBe(0);
  // The worker has noticed both: the first stopped before its gate opened, the second never began.
  expect(await worker.ask({ name: "third" })).toBe("did third");
  expect(done).toBe(2);
  const before = worker.ask({ name: "fourth" }, { signal: AbortSignal.abort(new Error("no")) });
  await expect(before).rejects.toThrow("no");
  await worker.close();
});

test("closing finishes what was asked, refuses the rest, and may be done twice", async () => {
  const worker = await start(script("closes.mjs"));
  const gate = join(folder, "close-gate");
  const asked = [worker.ask({ name: "a", gate }), worker.ask({ name: "b", parts: 1 })];
  const closed = [worker.close(), worker.close()];
  await expect(worker.ask({ name: "c" })).rejects.toThrow(ClosedError);
  writeFileSync(gate, "");
  expect(await Promise.all(asked)).toEqual(["did a", "did b"]);
  await Promise.all(closed);
  await worker.close();
});

test("a worker that dies while it is closed fails what it had, and is closed", async () => {
  const restarts: Error[] = [];
  const worker = await start(script("dies-closing.mjs"), {
    restart: true,
    onRestart: (error: Error) => restarts.push(error),
  });
  const asked = failure(worker.ask({ fail: "die" }));
  await worker.close();
  expect((await asked)?.message).toBe("broken");
  expect(restarts).toEqual([]);
});
