/** Following a log look by look, the test deciding what happens in between. */

import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followLog, type LogEvent } from "../../src/service/run-log.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const told = (event: LogEvent) => ("text" in event ? event.text : event.kind);

/** Follows a log of its own; before each look after the first that finds nothing a step is done. */
async function follow(name: string, steps: ((log: string) => void)[]): Promise<string[]> {
  mkdirSync(join(folder, name, "training"), { recursive: true });
  const log = join(folder, name, "training", "log.jsonl");
  writeFileSync(log, "one\n");
  const end = new AbortController();
  const pause = async () => {
    const step = steps.shift();
    if (step) step(log);
    else end.abort();
  };
  const events: string[] = [];
  for await (const event of followLog({ name, log }, { signal: end.signal, pause })) {
    events.push(told(event));
  }
  return events;
}

test("half lines are held back until they are whole", async () => {
  const events = await follow("half", [
    (log) => appendFileSync(log, "tw"),
    () => {},
    (log) => appendFileSync(log, "o\nthree\nfo"),
  ]);
  expect(events).toEqual(["one", "status", "two", "three"]);
});

test("a log that is cut off starts again; one that is gone ends", async () => {
  const events = await follow("cut", [
    (log) => writeFileSync(log, ""),
    (log) => appendFileSync(log, "new\n"),
    (log) => rmSync(log),
  ]);
  expect(events).toEqual(["one", "status", "reset", "new", "end"]);
});

test("what was logged before the model was written is sent before the end", async () => {
  const events = await follow("finish", [
    (log) => {
      appendFileSync(log, "two\n");
      writeFileSync(join(log, "..", "..", "manifest.json"), "{}");
    },
  ]);
  expect(events).toEqual(["one", "status", "two", "status", "end"]);
});

test("a log that no longer grows is said to have stopped, and silence is broken", async () => {
  const events = await follow("silent", [
    (log) => utimesSync(log, 1e9, 1e9),
    ...Array.from({ length: 60 }, () => () => {}),
  ]);
  expect(events).toEqual(["one", "status", "status", "quiet", "quiet"]);
});

test("a log longer than what is read at once is sent whole", async () => {
  const many = Array.from({ length: 40_000 }, (_, index) => `line ${index}`);
  const events = await follow("long", [(log) => appendFileSync(log, `${many.join("\n")}\n`)]);
  expect(events).toEqual(["one", "status", ...many]);
});
