/** What `-o` may name, and what becomes of it, with real processes and real devices. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { bracken, MAIN, ROOT } from "./run.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const TREE = "(S (NP (DT the) (NN dog)) (VP (VBD ran)))\n";
const isUnix = process.platform !== "win32";

beforeAll(() => writeFileSync(at("tree.mrg"), TREE));

async function convertTo(output: string, ...more: string[]) {
  const outcome = await bracken(["convert", at("tree.mrg"), "-o", output, ...more]);
  expect(outcome.stderr).not.toContain("internal error");
  return outcome;
}

describe.runIf(isUnix)("an output that is no regular file is written into, never replaced", () => {
  test("a FIFO", async () => {
    expect(spawnSync("mkfifo", [at("fifo")]).status).toBe(0);
    const reader = spawn("cat", [at("fifo")]);
    const received: Buffer[] = [];
    reader.stdout.on("data", (chunk: Buffer) => received.push(chunk));
    const [{ code }] = await Promise.all([convertTo(at("fifo")), once(reader, "close")]);
    expect([code, Buffer.concat(received).toString()]).toEqual([0, TREE]);
    expect(statSync(at("fifo")).isFIFO()).toBe(true);
  });

  test("a device", async () => {
    symlinkSync("/dev/null", at("null"));
    expect((await convertTo(at("null"))).code).toBe(0);
    expect(lstatSync(at("null")).isSymbolicLink()).toBe(true);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("a socket", async () => {
    const received: Buffer[] = [];
    const server = createServer((socket) => socket.on("data", (chunk) => received.push(chunk)));
    server.listen(at("socket"));
    await once(server, "listening");
    const closed = once(server, "connection").then(([socket]) => once(socket, "close"));
    const { code } = await convertTo(at("socket"));
    await closed;
    server.close();
    expect([code, Buffer.concat(received).toString()]).toEqual([0, TREE]);
  });

  test("/dev/stdout, by a link too, goes after what is there", async () => {
    expect((await convertTo("/dev/stdout")).stdout).toBe(TREE);
    symlinkSync("/dev/stdout", at("link-to-stdout"));
    for (const name of ["/dev/stdout", at("link-to-stdout")]) {
      const file = at("appended.txt");
      writeFileSync(file, "before\n");
      const child = spawn(process.execPath, [MAIN, "convert", at("tree.mrg"), "-o", name], {
        stdio: ["ignore", openSync(file, "a"), "inherit"],
      });
      expect((await once(child, "close"))[0]).toBe(0);
      expect(readFileSync(file, "utf8")).toBe(`before\n${TREE}`);
    }
  });

  const hasFull = statSync("/dev/full", { throwIfNoEntry: false })?.isCharacterDevice() === true;
  test.runIf(hasFull)("a full disk is told in one line, exit code 1", async () => {
    const named = await convertTo("/dev/full");
    expect([named.code, named.stderr]).toEqual([1, "error: /dev/full: the disk is full\n"]);
    const child = spawn(process.execPath, [MAIN, "convert", at("tree.mrg")], {
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    const told: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => told.push(chunk));
    expect((await once(child, "close"))[0]).toBe(1);
    expect(Buffer.concat(told).toString()).toBe("error: standard output: the disk is full\n");
  });
});

describe.runIf(isUnix)("a file that is there", () => {
  test("keeps its permissions", async () => {
    writeFileSync(at("secret.txt"), "old");
    chmodSync(at("secret.txt"), 0o600);
    expect((await convertTo(at("secret.txt"))).code).toBe(0);
    expect(statSync(at("secret.txt")).mode & 0o777).toBe(0o600);
    expect(readFileSync(at("secret.txt"), "utf8")).toBe(TREE);
  });

  test("is written where a link leads, whether it is there or not", async () => {
    mkdirSync(at("elsewhere"));
    writeFileSync(at("elsewhere/there.txt"), "old");
    symlinkSync("elsewhere/there.txt", at("link-1"));
    symlinkSync("elsewhere/new.txt", at("link-2"));
    for (const link of ["link-1", "link-2"]) {
      expect((await convertTo(at(link))).code).toBe(0);
      expect(lstatSync(at(link)).isSymbolicLink()).toBe(true);
      expect(readFileSync(at(link), "utf8")).toBe(TREE);
    }
    expect(readdirSync(at("elsewhere")).sort()).toEqual(["new.txt", "there.txt"]);
    symlinkSync("loop", at("loop"));
    expect((await convertTo(at("loop"))).code).toBe(2);
  });
});

describe("refused before any work, with exit code 2 and two lines", () => {
  test.each([
    ["an empty name", "", "the path of the output is empty"],
    ["a folder", ".", "this is a folder"],
    ["a name that ends as a folder's", "new/", "this is the path of a folder"],
    ["a folder that is not there", "no/such/out.txt", "there is no such folder"],
    ["a file in place of a folder", "package.json/out.txt", "not a folder"],
  ])("%s", async (_, output, message) => {
    // The input is malformed: an error of the output must come first.
    const { code, stderr, stdout } = await bracken(["convert", "-", "-o", output], { input: ")" });
    expect([code, stdout, stderr.split("\n")]).toEqual([
      2,
      "",
      [expect.stringContaining(message), expect.any(String), ""],
    ]);
  });

  const notRoot = process.getuid?.() !== 0;
  test.runIf(isUnix && notRoot)("a folder that must not be written to", async () => {
    mkdirSync(at("closed"), { mode: 0o555 });
    const { code, stderr } = await convertTo(at("closed/out.txt"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("permission denied")]);
  });

  test.each([
    ["evaluate", ["evaluate", "TREES", "TREES", "-o", "TREES"]],
    ["baseline", ["baseline", "right", "TREES", "-o", "TREES"]],
    ["convert", ["convert", "TREES", "-o", "TREES"]],
    ["convert, by another name", ["convert", "TREES", "-o", "OTHER"]],
    ["stats", ["stats", "DATA", "-o", "DATA"]],
    ["stats, its drawing", ["stats", "DATA", "--svg", "DATA"]],
    ["extract", ["extract", "jsonl", "DATA", "-o", "DATA"]],
    ["extract, pages", ["extract", "markdown", "DATA", "-o", "DATA"]],
    ["parse", ["parse", "--lines", "DATA", "-o", "DATA"]],
    ["plot", ["plot", "DATA", "-o", "DATA"]],
  ])("an output that is also an input: %s", async (_, args) => {
    const data = '{"tokens": ["a", "b", "c"], "brackets": [[0, 2]], "source": "s", "id": "1"}\n';
    writeFileSync(at("data.jsonl"), data);
    rmSync(at("other.mrg"), { force: true });
    linkSync(at("tree.mrg"), at("other.mrg"));
    const names: Record<string, string> = {
      TREES: at("tree.mrg"),
      OTHER: at("other.mrg"),
      DATA: at("data.jsonl"),
    };
    const { code, stderr } = await bracken(args.map((arg) => names[arg] ?? arg));
    expect([code, stderr]).toEqual([2, expect.stringContaining("the output is also an input")]);
    expect(readFileSync(at("tree.mrg"), "utf8")).toBe(TREE);
    expect(readFileSync(at("data.jsonl"), "utf8")).toBe(data);
  });

  test("standard output that goes to an input", async () => {
    writeFileSync(at("both.mrg"), TREE);
    const child = spawn(process.execPath, [MAIN, "convert", at("both.mrg")], {
      stdio: ["ignore", openSync(at("both.mrg"), "a"), "ignore"],
    });
    expect((await once(child, "close"))[0]).toBe(2);
    expect(readFileSync(at("both.mrg"), "utf8")).toBe(TREE);
  });
});

describe("what killed processes leave beside an output", () => {
  const output = at("left.txt");
  const leftovers = () =>
    readdirSync(folder).filter((name) => name.startsWith("left.txt.") && name.endsWith(".partial"));

  /** A process that has begun to write the output and waits for input. */
  async function begin() {
    const before = new Set(leftovers());
    const child = spawn(process.execPath, [MAIN, "convert", "-", "-o", output], {
      cwd: ROOT,
      stdio: ["pipe", "ignore", "inherit"],
    });
    while (leftovers().every((name) => before.has(name))) await sleep(20);
    const name = leftovers().find((each) => !before.has(each)) as string;
    return { child, name };
  }

  test("is cleared by the next run; what a live process or another machine owns stays", async () => {
    const killed = await begin();
    killed.child.kill("SIGKILL");
    await once(killed.child, "close");
    expect(leftovers()).toEqual([killed.name]);
    const foreign = killed.name.replace(/@[^@]*\.partial$/, "@another-machine.partial");
    writeFileSync(at(foreign), "");
    // The number of a live process, but of another start than it had.
    const reused = killed.name.replace(/\.\d+-[0-9a-z]+/, `.${process.pid}-0000`);
    writeFileSync(at(reused), "");
    const live = await begin();
    expect(leftovers().sort()).toEqual([foreign, live.name].sort());
    expect((await bracken(["convert", at("tree.mrg"), "-o", output])).code).toBe(0);
    expect(leftovers().sort()).toEqual([foreign, live.name].sort());
    live.child.stdin.end("(S (NN later))\n");
    expect((await once(live.child, "close"))[0]).toBe(0);
    expect(readFileSync(output, "utf8")).toBe("(S (NN later))\n");
    expect(leftovers()).toEqual([foreign]);
  });

  test("has the machine's name in it", async () => {
    const { child, name } = await begin();
    child.kill("SIGKILL");
    await once(child, "close");
    expect(name).toContain(`.${child.pid}-`);
    expect(name).toContain(`@${hostname()}`);
    expect(existsSync(at(name))).toBe(true);
  });
});
