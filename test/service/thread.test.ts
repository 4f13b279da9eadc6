/** A thread that answers, fails and dies, and the one that comes after it. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { InputError } from "../../src/errors.js";
import { ServiceError } from "../../src/service/service-error.js";
import { Thread } from "../../src/service/thread.js";
import { ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const built = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, "dist", path)).href);

/** A thread that does as its requests say. */
function script(name: string, prepare = ""): URL {
  const file = join(folder, name);
  writeFileSync(
    file,
    `import { setTimeout } from "node:timers/promises";
     import { InputError } from ${built("errors.js")};
     import { ServiceError } from ${built("service/service-error.js")};
     import { answerRequests } from ${built("service/thread.js")};
     await answerRequests(async () => {
       ${prepare}
       return {
         async handle(request, emit) {
           if (request === "input") throw new InputError("bad", { file: "f", line: 3 }, "mend it");
           if (request === "service") throw new ServiceError(413, "too_many_tokens", "too many");
           if (request === "die") setImmediate(() => { throw new Error("broken"); });
           if (request === "die") await setTimeout(1000);
           for (let part = 0; part < request; part++) { await setTimeout(5); emit(part); }
           return "did " + request;
         },
       };
     });`,
  );
  return pathToFileURL(file);
}

test("answers come in order, parts first, errors as what they are", async () => {
  const thread = await Thread.start<unknown, number, string>(script("fine.mjs"), undefined);
  const seen: unknown[] = [];
  const asked = [3, "service", 2, "input", 0].map((request) =>
    thread
      .ask(request, (part) => seen.push(part))
      .then(
        (answer) => seen.push(answer),
        (error: Error) => seen.push(error),
      ),
  );
  await Promise.all(asked);
  expect(seen.map((each) => (each instanceof Error ? each.message : each))).toEqual([
    ...[0, 1, 2, "did 3"],
    "too many",
    ...[0, 1, "did 2"],
    "f:3: bad",
    "did 0",
  ]);
  expect(seen[4]).toBeInstanceOf(ServiceError);
  expect(seen[4]).toMatchObject({ status: 413, code: "too_many_tokens" });
  expect(seen[8]).toBeInstanceOf(InputError);
  expect(seen[8]).toMatchObject({ problem: "bad", remedy: "mend it" });
  await thread.close();
});

test("a thread that dies fails what it has in hand, and another goes on", async () => {
  const restarts: string[] = [];
  const thread = await Thread.start<unknown, number, string>(script("dies.mjs"), undefined, {
    onRestart: (error) => restarts.push(error.message),
  });
  const [dead, behind] = [thread.ask("die"), thread.ask(0)];
  await expect(dead).rejects.toThrow("broken");
  await expect(behind).rejects.toThrow("broken");
  expect(await thread.ask(1)).toBe("did 1");
  expect(restarts).toEqual(["broken"]);
  await thread.close();
});

test("a thread that cannot begin says why, at once or later", async () => {
  const never = script("never.mjs", 'throw new InputError("no model");');
  await expect(Thread.start(never, undefined)).rejects.toThrow(InputError);
  const once = script(
    "once.mjs",
    `const { workerData } = await import("node:worker_threads");
     if (Atomics.add(new Int32Array(workerData), 0, 1) > 0) throw new Error("only once");`,
  );
  let lose: (error: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const data = new SharedArrayBuffer(4);
  const thread = await Thread.start<unknown, never, string>(once, data, { onLost: lose });
  await expect(thread.ask("die")).rejects.toThrow("broken");
  expect((await lost).message).toBe("only once");
});
