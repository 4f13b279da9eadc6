/** Workers that share requests. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClosedError } from "../../src/workers/worker-handle.js";
import { WorkerPool } from "../../src/workers/worker-pool.js";
import { temporaryFolder } from "../temporary.js";
import { writeScript } from "./scripts.js";

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const open = (gate: string) => writeFileSync(gate, "");

/** Each request may leave a file to show that it has begun, and wait for another. */
const script = writeScript(file("pool.mjs"), "const me = data.name + Math.random();", [
  `if (request.begun) writeFileSync(request.begun, "");`,
  `if (request.part) emit(request.part);`,
  `if (request.gate) await opened(request.gate, signal);`,
  `if (request.die) { setImmediate(() => { throw new Error("broken"); }); await never; }`,
  `return { me, bytes: request.bytes?.length };`,
]);

interface Request {
  readonly begun?: string;
  readonly part?: string;
  readonly gate?: string;
  readonly die?: boolean;
  readonly bytes?: Uint8Array;
}
interface Answer {
  readonly me: string;
  readonly bytes?: number;
}

const start = (size: number, options = {}) =>
  WorkerPool.start<Request, Answer, string>(size, script, { name: "pool" }, options);
const begun = (name: string) => expect.poll(() => existsSync(name), { timeout: 20_000 }).toBe(true);

test("requests go to all workers, and wait when none is free", async () => {
  const pool = await start(2);
  const [gate, third] = [file("gate-1"), file("begun-3")];
  const two = [pool.ask({ gate }), pool.ask({ gate })];
  const last = pool.ask({ begun: third });
  const extra = new AbortController();
  const calledOff = pool.ask({ begun: file("begun-4") }, { signal: extra.signal });
  extra.abort(new Error("called off"));
  await expect(calledOff).rejects.toThrow("called off");
  expect(existsSync(third)).toBe(false);
  open(gate);
  const answers = await Promise.all(two);
  expect(answers[0]?.me).not.toBe(answers[1]?.me);
  expect(answers.map(({ me }) => me)).toContain((await last).me);
  await pool.close();
  expect(existsSync(file("begun-4"))).toBe(false);
});

test("a worker that is freed early gets the next request at once", async () => {
  const pool = await start(1);
  const gate = file("gate-2");
  const order: string[] = [];
  const first = pool.ask(
    { part: "nearly", gate },
    {
      onPart: (part, free) => {
        order.push(part);
        free();
        open(gate);
      },
    },
  );
  const second = pool.ask({}).then(() => order.push("second"));
  await first.then(() => order.push("first"));
  await second;
  expect(order).toEqual(["nearly", "first", "second"]);
  await pool.close();
});

test("buffers are handed over without a copy", async () => {
  const pool = await start(1);
  const bytes = new Uint8Array(1000);
  const { bytes: arrived } = await pool.ask({ bytes }, { transfer: [bytes.buffer] });
  expect([arrived, bytes.length]).toEqual([1000, 0]);
  await pool.close();
});

test("closing answers what was asked, also what still waits", async () => {
  const pool = await start(1);
  const gate = file("gate-3");
  const asked = [pool.ask({ gate }), pool.ask({}), pool.ask({})];
  const closed = [pool.close(), pool.close()];
  await expect(pool.ask({})).rejects.toThrow(ClosedError);
  open(gate);
  expect(await Promise.all(asked)).toHaveLength(3);
  await Promise.all(closed);
});

test("a worker that dies takes its request with it, and the others go on", async () => {
  const pool = await start(2, { restart: true });
  const gate = file("gate-4");
  const [dead, alive] = [pool.ask({ die: true }), pool.ask({ begun: file("begun-5"), gate })];
  await expect(dead).rejects.toThrow("broken");
  await begun(file("begun-5"));
  open(gate);
  const { me } = await alive;
  const more = await Promise.all([pool.ask({}), pool.ask({}), pool.ask({})]);
  expect(new Set([me, ...more.map((each) => each.me)]).size).toBe(2);
  await pool.close();
});

test("if one worker cannot start, the error is its own and the others are closed", async () => {
  const flag = file("started");
  const second = writeScript(
    file("second.mjs"),
    `try {
       writeFileSync(data.flag, "", { flag: "wx" });
     } catch {
       throw new InputError("there is room for one only");
     }
     process.on("exit", () => writeFileSync(data.flag + ".ended", ""));`,
    [],
  );
  const starting = WorkerPool.start(2, second, { flag });
  await expect(starting).rejects.toThrow("there is room for one only");
  expect(existsSync(`${flag}.ended`)).toBe(true);
});

test("an idle worker goes before one that was only freed early", async () => {
  const pool = await start(2);
  const gate = file("gate-idle");
  let freed: () => void = () => {};
  const isFreed = new Promise<void>((resolve) => {
    freed = resolve;
  });
  const busy = pool.ask(
    { part: "nearly", gate },
    {
      onPart: (_part, free) => {
        free();
        freed();
      },
    },
  );
  await isFreed;
  // Each of these would wait for the gate behind the busy one.
  const answers = [await pool.ask({}), await pool.ask({}), await pool.ask({})];
  open(gate);
  const { me } = await busy;
  expect(answers.map((answer) => answer.me)).not.toContain(me);
  await pool.close();
});
