/** Claims, receipts and joining, with workers that only pretend to parse. */

import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { WorkFailure } from "../../src/errors.js";
import { Claim, readClaim, Watch } from "../../src/plans/claims.js";
import { CutPlaces } from "../../src/plans/cut.js";
import { statusOf } from "../../src/plans/status.js";
import { FolderStore } from "../../src/plans/store.js";
import { workOnNext, workOnParts } from "../../src/plans/work.js";
import { temporaryFolder } from "../temporary.js";
import { expectedLines, makeLinePlan, pretender } from "./pretend.js";
import { gathered, openWorker } from "./run-plan.js";

const root = temporaryFolder();

const makePlan = (lines?: number) => makeLinePlan(root, lines);

describe("claims", () => {
  test("of many who try at once, one gets a part", async () => {
    const store = new FolderStore(await makePlan());
    await store.prepare("claims");
    const taken = await Promise.all(Array.from({ length: 20 }, () => Claim.take(store, 3, 1, 60)));
    const claims = taken.filter((claim) => claim !== undefined);
    expect(claims.length).toBe(1);
    await claims[0]?.end({ end: "released" });
  });

  test("many workers at once do each part once", async () => {
    const folder = await makePlan(30);
    const done: number[] = [];
    const workers = await Promise.all(
      Array.from({ length: 8 }, () =>
        openWorker(folder, {
          runner: pretender(() => new Promise((resolve) => setTimeout(resolve, 2))),
          onDone: ({ receipt, isLate }) => {
            expect(isLate).toBe(false);
            done.push(receipt.part);
          },
        }),
      ),
    );
    await Promise.all(workers.map(workOnNext));
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect((await gathered(folder)).toString()).toBe(expectedLines(30));
  });

  test("an owner's lines keep it; by the watcher's own clock, and with the longer lease", () => {
    const claim = (sign: string, lease: number) => ({
      ...{ part: 1, number: 1, share: 0, end: undefined, sign },
      head: { id: "x", owner: { pid: 1, start: "", host: "far" }, lease, worker: "far:1", at: "" },
    });
    const event = fc.record({ after: fc.integer({ min: 0, max: 50 }), lives: fc.boolean() });
    const run = fc.record({
      events: fc.array(event, { maxLength: 30 }),
      own: fc.integer({ min: 1, max: 60 }),
      other: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(run, ({ events, own, other }) => {
        let [now, signs, lastChange] = [1e9, 0, 1e9];
        const watch = new Watch(() => now * 1000);
        expect(watch.isExpired(claim("0", other), own)).toBe(false);
        for (const { after, lives } of events) {
          now += after;
          if (lives) signs += 1;
          const isExpired = watch.isExpired(claim(`${signs}`, other), own);
          if (lives) lastChange = now;
          expect(isExpired).toBe(!lives && now - lastChange > Math.max(own, other));
        }
      }),
    );
  });

  test("a worker that is thought dead and comes back changes nothing", async () => {
    const folder = await makePlan(1);
    let wake = () => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const late: boolean[] = [];
    // A claim that gives no sign of life: its owner's process is on another machine, as far as others can tell.
    const slow = await openWorker(folder, {
      runner: {
        ...pretender(() => asleep),
        run: async (part, { write }) => {
          await asleep;
          await write("other bytes\n", { ...part.from, count: 1 });
          return { sentences: 1 };
        },
      },
      onDone: ({ isLate }) => late.push(isLate),
    });
    const sleeping = workOnParts(slow, [1]);
    await vi.waitFor(() => expect(readdirSync(join(folder, "claims"))).toContain("000001.1"));
    const other = await openWorker(folder, {
      runner: pretender(),
      onDone: ({ isLate }) => late.push(isLate),
    });
    await workOnParts(other, [1]);
    wake();
    await sleeping.catch(() => {});
    expect(late.filter((each) => !each).length).toBe(1);
    expect((await gathered(folder)).toString()).toBe(expectedLines(1));
    const left = readdirSync(join(folder, "parts"));
    expect(left.length, left.join(" ")).toBe(2);
  });

  test("an owner that sees the next claim stops", async () => {
    const store = new FolderStore(await makePlan());
    await store.prepare("claims");
    const first = (await Claim.take(store, 1, 1, 1)) as Claim;
    const second = (await Claim.take(store, 1, 2, 60)) as Claim;
    await vi.waitFor(() => expect(first.lost.aborted).toBe(true), { timeout: 20_000 });
    expect(String(first.lost.reason)).toContain("part 1 was taken over");
    expect(second.lost.aborted).toBe(false);
    await Promise.all([first.end({ end: "released" }), second.end({ end: "done" })]);
    const seen = await readClaim(store, 1, 1);
    expect([seen.end?.end, seen.sign === (await readClaim(store, 1, 2)).sign]).toEqual([
      "released",
      false,
    ]);
  });

  test("a claim that is half written is one of a worker that lives", async () => {
    const folder = await makePlan(2);
    const store = new FolderStore(folder);
    await store.prepare("claims");
    writeFileSync(join(folder, "claims/000002.1"), '{"owner":{"pid":');
    const seen = await readClaim(store, 2, 1);
    expect([seen.head, seen.end]).toEqual([undefined, undefined]);
    appendFileSync(join(folder, "claims/000002.1"), "\n{}\nnonsense\n");
    expect((await readClaim(store, 2, 1)).share).toBe(0);
    // Nobody adds to it: it is taken over in the end.
    await workOnNext(await openWorker(folder, { runner: pretender(), lease: 1 }));
    expect((await gathered(folder)).toString()).toBe(expectedLines(2));
  });
});

describe("failures", () => {
  test("a part that fails is tried again, after the others, and then set aside with its error", async () => {
    const folder = await makePlan();
    const order: number[] = [];
    const failed: string[] = [];
    const worker = await openWorker(folder, {
      runner: pretender(({ part }) => {
        order.push(part);
        if (part === 2) throw new Error("the ink ran out");
      }),
      onFailed: (part, error) => failed.push(`${part} ${error}`),
    });
    expect(await workOnNext(worker)).toEqual({ setAside: [2] });
    expect(order.slice(-2)).toEqual([2, 2]);
    expect(failed).toEqual(Array.from({ length: 3 }, () => "2 Error: the ink ran out"));
    const status = await statusOf(worker.store, worker.plan);
    expect(status).toMatchObject({ parts: 6, done: 5, running: [], lost: [] });
    expect(status.failed).toEqual([{ part: 2, tries: 3, error: "the ink ran out" }]);
    await expect(gathered(folder)).rejects.toThrow("1 of 6 parts are missing: 2");
    // Asked for by its number, it is tried again.
    await workOnParts(await openWorker(folder, { runner: pretender() }), [2, 3]);
    expect((await gathered(folder)).toString()).toBe(expectedLines());
    expect((await statusOf(worker.store, worker.plan)).failed).toEqual([]);
  });

  test("a worker whose first three parts fail ends, and leaves the others their tries", async () => {
    const folder = await makePlan();
    const lame = pretender(() => {
      throw new Error("no such input");
    });
    const failed: number[] = [];
    const worker = await openWorker(folder, {
      runner: lame,
      onFailed: (part) => failed.push(part),
    });
    await expect(workOnNext(worker)).rejects.toThrow("the first 3 parts failed here");
    expect(new Set(failed).size).toBe(3);
    const sound = await openWorker(folder, { runner: pretender() });
    expect(await workOnNext(sound)).toEqual({ setAside: [] });
    expect((await gathered(folder)).toString()).toBe(expectedLines());
  });

  test("one that has done a part goes on, however many fail", async () => {
    const folder = await makePlan();
    let isFirst = true;
    const runner = pretender(() => {
      if (!isFirst) throw new Error("the ink ran out");
      isFirst = false;
    });
    const worker = await openWorker(folder, { runner, onFailed() {} });
    expect((await workOnNext(worker)).setAside).toHaveLength(5);
  });

  test("a full disk ends the worker, and is not the part's fault", async () => {
    const folder = await makePlan();
    const full = pretender(() => {
      throw new WorkFailure("the disk is full");
    });
    for (let time = 0; time < 4; time++) {
      await expect(workOnNext(await openWorker(folder, { runner: full }))).rejects.toThrow(
        "the disk is full",
      );
    }
    expect(readdirSync(join(folder, "parts"))).toEqual([]);
    await workOnNext(await openWorker(folder, { runner: pretender() }));
    expect((await gathered(folder)).toString()).toBe(expectedLines());
  });

  test("a worker that is told to end gives its part back at once", async () => {
    const folder = await makePlan(1);
    const ending = new AbortController();
    const runner = pretender(() => ending.abort());
    await expect(
      workOnNext(await openWorker(folder, { runner, signal: ending.signal })),
    ).rejects.toThrow();
    expect(readFileSync(join(folder, "claims/000001.1"), "utf8")).toContain('"released"');
    await workOnNext(await openWorker(folder, { runner: pretender() }));
    expect((await gathered(folder)).toString()).toBe(expectedLines(1));
  });

  test("without waiting, a worker ends when others have the rest", async () => {
    const folder = await makePlan(2);
    const store = new FolderStore(folder);
    await store.prepare("claims");
    const claim = (await Claim.take(store, 1, 1, 60)) as Claim;
    await workOnNext(await openWorker(folder, { runner: pretender(), wait: false }));
    const status = await statusOf(store, (await openWorker(folder, { runner: pretender() })).plan);
    expect([status.done, status.running.map(({ part }) => part)]).toEqual([1, [1]]);
    await claim.end({ end: "released" });
  });

  test("there is no part beyond the last", async () => {
    const worker = await openWorker(await makePlan(), { runner: pretender() });
    await expect(workOnParts(worker, [7])).rejects.toThrow("there is no part 7");
  });
});

describe("joining", () => {
  async function done(): Promise<string> {
    const folder = await makePlan();
    await workOnNext(await openWorker(folder, { runner: pretender() }));
    return folder;
  }

  const outputOf = (folder: string, part: number) =>
    join(
      folder,
      "parts",
      readdirSync(join(folder, "parts")).find(
        (name) => name.startsWith(`00000${part}.`) && name.endsWith(".out"),
      ) as string,
    );

  test("two at once write the same", async () => {
    const folder = await done();
    const both = await Promise.all([gathered(folder), gathered(folder)]);
    for (const bytes of both) expect(bytes.toString()).toBe(expectedLines());
  });

  const DAMAGE: [string, (folder: string) => void, RegExp][] = [
    [
      "a part that is missing",
      (folder) => rmSync(join(folder, "parts/000004.json")),
      /1 of 6 parts are missing: 4/,
    ],
    ["an output that is missing", (folder) => rmSync(outputOf(folder, 4)), /000004/],
    [
      "an output that is cut short",
      (folder) => writeFileSync(outputOf(folder, 4), "line"),
      /part 4 was altered.*4 bytes, and had 7/,
    ],
    [
      "an output that is altered",
      (folder) => writeFileSync(outputOf(folder, 4), "lime 3\n"),
      /part 4 was altered/,
    ],
    [
      "an output that is longer",
      (folder) => appendFileSync(outputOf(folder, 4), "x"),
      /part 4 was altered.*8 bytes/,
    ],
    [
      "a receipt that is doubled",
      (folder) =>
        copyFileSync(join(folder, "parts/000003.json"), join(folder, "parts/000004.json")),
      /part 4 was altered or occurs twice: its receipt is that of part 3/,
    ],
    [
      "a part too many",
      (folder) =>
        copyFileSync(join(folder, "parts/000003.json"), join(folder, "parts/000007.json")),
      /part 7 was altered or occurs twice: the plan has 6 parts/,
    ],
    [
      "a receipt that is no JSON",
      (folder) => writeFileSync(join(folder, "parts/000004.json"), "{"),
      /part 4 .*not valid JSON/,
    ],
  ];

  test.each(DAMAGE)(
    "%s is an error that names it, and nothing is written",
    async (_, damage, message) => {
      const folder = await done();
      damage(folder);
      await expect(gathered(folder)).rejects.toThrow(message);
      expect(readdirSync(folder).filter((name) => name.includes("joined"))).toEqual([]);
    },
  );

  test("the receipt of another plan, or an output elsewhere", async () => {
    const [folder, other] = [await done(), await done()];
    const file = join(folder, "parts/000002.json");
    const receipt = JSON.parse(readFileSync(file, "utf8"));
    copyFileSync(join(other, "parts/000002.json"), file);
    await expect(gathered(folder)).rejects.toThrow("its receipt is of another plan");
    writeFileSync(file, JSON.stringify({ ...receipt, output: "../../input.txt" }));
    await expect(gathered(folder)).rejects.toThrow("its output is elsewhere");
    const first = JSON.parse(readFileSync(join(folder, "parts/000001.json"), "utf8"));
    writeFileSync(file, JSON.stringify({ ...receipt, output: first.output }));
    await expect(gathered(folder)).rejects.toThrow("its output is part 1's");
  });

  test("an altered plan is no plan", async () => {
    const folder = await done();
    appendFileSync(join(folder, "parts.jsonl"), "\n");
    await expect(gathered(folder)).rejects.toThrow("the plan was altered");
    rmSync(join(folder, "parts.jsonl"));
    await expect(gathered(folder)).rejects.toThrow("missing");
    writeFileSync(join(folder, "plan.json"), "{}");
    await expect(gathered(folder)).rejects.toThrow("this is not a plan");
    rmSync(join(folder, "plan.json"));
    await expect(gathered(folder)).rejects.toThrow("there is no plan");
  });
});

test("cuts are at places, in order, about equal, and as many as can be", () => {
  const steps = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 60, max: 400 }),
      (sizes, count, most) => {
        const places = new CutPlaces(most);
        const befores: number[] = [];
        let work = 0;
        for (const size of sizes) {
          befores.push(work);
          places.add({ input: 0, position: work, before: work });
          work += size;
        }
        const parts = places.cut(count, work);
        expect(parts.length).toBeLessThanOrEqual(Math.min(count, sizes.length));
        expect(parts[0]?.from.position).toBe(0);
        expect(parts.at(-1)?.to).toBeUndefined();
        expect(parts.reduce((sum, part) => sum + part.work, 0)).toBe(work);
        for (const [index, part] of parts.entries()) {
          expect(part.part).toBe(index + 1);
          expect(befores).toContain(part.from.position);
          expect(part.to).toEqual(parts[index + 1]?.from);
        }
        if (
          sizes.length <= most &&
          sizes.every((size) => size === sizes[0]) &&
          sizes.length % count === 0
        ) {
          expect(new Set(parts.map((part) => part.work)).size).toBe(1);
        }
      },
    ),
  );
});
