/** What `bracken status` says of a plan while it is worked on. */

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Claim } from "../../src/plans/claims.js";
import { readPlan } from "../../src/plans/plan.js";
import { statusOf } from "../../src/plans/status.js";
import { FolderStore } from "../../src/plans/store.js";
import { prepare, workOnParts } from "../../src/plans/work.js";
import { temporaryFolder } from "../temporary.js";
import { makeLinePlan, pretender } from "./pretend.js";
import { openWorker } from "./run-plan.js";

const root = temporaryFolder();

/** Gives a receipt the time that its part is to have taken. */
function setSeconds(folder: string, part: number, seconds: number): void {
  const file = join(folder, "parts", `00000${part}.json`);
  const receipt = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...receipt, seconds })}\n`);
}

test("speed and time left come from the receipts and from how far those at work are", async () => {
  const folder = await makeLinePlan(root, 6);
  await workOnParts(await openWorker(folder, { runner: pretender() }), [1, 2]);
  setSeconds(folder, 1, 10);
  setSeconds(folder, 2, 30);
  const store = new FolderStore(folder);
  const plan = await readPlan(store);
  const idle = await statusOf(store, plan);
  expect(idle).toMatchObject({ done: 2, sentences: 2, speed: 2 / 40 });
  expect(idle.left).toBeUndefined();
  const claim = (await Claim.take(store, 3, 1, 0.04)) as Claim;
  claim.tell(0.5);
  await expect.poll(async () => (await statusOf(store, plan)).running[0]?.share).toBe(0.5);
  // Two parts took 40 seconds; three and a half are left, for one worker.
  const busy = await statusOf(store, plan);
  expect(busy.left).toBeCloseTo(3.5 * 20);
  expect(busy.share).toBeCloseTo(2.5 / 6);
  await claim.end({ end: "released" });
  expect(await statusOf(store, plan)).toMatchObject({ running: [], failed: [], lost: [] });
});

test("a part whose worker was killed on this machine is lost, until another takes it", async () => {
  const folder = await makeLinePlan(root, 2);
  const store = new FolderStore(folder);
  await prepare(store);
  const claim = (await Claim.take(store, 1, 1, 60)) as Claim;
  const file = join(folder, "claims", "000001.1");
  // As if a process that has ended had made it.
  const gone = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => gone.once("exit", resolve));
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(`${process.pid}`, `${gone.pid}`));
  const plan = await readPlan(store);
  expect(await statusOf(store, plan)).toMatchObject({ running: [], lost: [1] });
  await workOnParts(await openWorker(folder, { runner: pretender() }), [1]);
  expect(await statusOf(store, plan)).toMatchObject({ done: 1, running: [], lost: [] });
  await claim.end({ end: "done" });
});
