/** Workers that are started in a worker thread are processes: the thread may be terminated at any moment. */

import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { writeScript } from "./scripts.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const HANDLE = pathToFileURL(join(ROOT, "dist/workers/worker-handle.js")).href;

/** Runs a program whose worker thread has a worker; gives its exit code and what it printed. */
async function run(name: string, script: URL, inThread: string, inMain: string) {
  writeFileSync(
    at(`${name}-thread.mjs`),
    `import { parentPort } from "node:worker_threads";
     import { WorkerHandle } from ${JSON.stringify(HANDLE)};
     const start = (data) => WorkerHandle.start(new URL(${JSON.stringify(script.href)}), data);
     ${inThread}`,
  );
  writeFileSync(
    at(`${name}-main.mjs`),
    `import { once } from "node:events";
     import { Worker } from "node:worker_threads";
     const thread = new Worker(${JSON.stringify(at(`${name}-thread.mjs`))});
     ${inMain}`,
  );
  const child = spawn(process.execPath, [at(`${name}-main.mjs`)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, printed };
}

test("answers, parts, errors, buffers, calling off and closing are as with threads", async () => {
  const script = writeScript(at("answers.mjs"), "const { pid } = process;", [
    "if (request === 'fail') throw new InputError('no good', { file: 'f', line: 2 }, 'mend it');",
    "if (request === 'wait') return opened('never', signal);",
    "emit(`part of ` + request);",
    "return { data, isOther: data.pid !== pid, numbers: Float32Array.of(request, 0.5) };",
  ]);
  const { code, printed } = await run(
    "answers",
    script,
    `const worker = await start({ pid: process.pid, list: new Int32Array(2) });
     const parts = [];
     const onPart = (part) => parts.push(part);
     const answers = await Promise.all([1, 2].map((number) => worker.ask(number, { onPart })));
     const failed = await worker.ask("fail").catch(({ name, problem, place, remedy }) => ({ name, problem, place, remedy }));
     const off = await worker.ask("wait", { signal: AbortSignal.timeout(50) }).catch(({ name }) => name);
     const last = worker.ask(3);
     await worker.close();
     const closed = await worker.ask(4).catch(({ name }) => name);
     const isWhole = answers.every(({ data }) => data.list instanceof Int32Array);
     parentPort.postMessage({ parts, answers, isWhole, failed, off, last: (await last).numbers[0], closed });`,
    "console.log(JSON.stringify((await once(thread, 'message'))[0]));",
  );
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({
    parts: ["part of 1", "part of 2"],
    answers: [
      { isOther: true, numbers: { 0: 1, 1: 0.5 } },
      { isOther: true, numbers: { 0: 2, 1: 0.5 } },
    ],
    isWhole: true,
    failed: { name: "InputError", problem: "no good", place: { file: "f", line: 2 } },
    off: "TimeoutError",
    last: 3,
    closed: "ClosedError",
  });
});

test("idle workers do not keep a thread alive, and one that cannot begin says why", async () => {
  const script = writeScript(
    at("idle.mjs"),
    "if (data === 'bad') throw new WorkFailure('broken');",
    ["return request;"],
  );
  const { code, printed } = await run(
    "idle",
    script,
    `const reason = await start("bad").catch(({ name, message }) => name + ": " + message);
     const worker = await start("good");
     parentPort.postMessage([reason, await worker.ask("echo")]);`,
    "console.log(JSON.stringify((await once(thread, 'message'))[0]));",
  );
  expect([code, JSON.parse(printed)]).toEqual([0, ["WorkFailure: broken", "echo"]]);
});

test("a thread that is terminated takes its workers along, busy or not", async () => {
  const script = writeScript(at("busy.mjs"), `writeFileSync(data, String(process.pid));`, [
    "for (;;) await setTimeout(5);",
  ]);
  const { code, printed } = await run(
    "busy",
    script,
    `const workers = await Promise.all([start(${JSON.stringify(at("pid-1"))}), start(${JSON.stringify(at("pid-2"))})]);
     workers[0].ask("work").catch(() => {});
     parentPort.postMessage("started");`,
    "await once(thread, 'message'); await thread.terminate(); console.log('alive');",
  );
  expect([code, printed]).toEqual([0, "alive\n"]);
  for (const name of ["pid-1", "pid-2"]) {
    expect(existsSync(at(name))).toBe(true);
    const pid = Number(readFileSync(at(name), "utf8"));
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
