import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Progress } from "../../src/display/progress.js";
import { expandInputs } from "../../src/files/expand-inputs.js";
import { readLines, readText, splitLines } from "../../src/files/input.js";
import { openOutput, withOutput } from "../../src/files/output.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("input", () => {
  test("folders are searched by extension, recursively, in the order of paths", async () => {
    mkdirSync(join(folder, "bank/sub"), { recursive: true });
    for (const name of ["b.mrg", "a.mrg.gz", "sub/c.mrg", "README", ".hidden.mrg"])
      file(`bank/${name}`, "");
    const found = await expandInputs([join(folder, "bank/")], [".mrg"]);
    expect(found.map((path) => path.slice(folder.length))).toEqual([
      "/bank/a.mrg.gz",
      "/bank/b.mrg",
      "/bank/sub/c.mrg",
    ]);
  });

  test("a file whose name looks like a pattern is that file", async () => {
    expect(await expandInputs([file("x[1].mrg", "")], [".mrg"])).toEqual([
      join(folder, "x[1].mrg"),
    ]);
  });

  test("gzip is told by content, several members included; a mark of byte order is dropped", async () => {
    const bytes = Buffer.concat([gzipSync("\ufeffein "), gzipSync("zwei")]);
    expect((await collect(readText(file("plain-name.txt", bytes)))).join("")).toBe("ein zwei");
  });

  test("characters that chunks cut in two stay whole", async () => {
    const long = "é猫🙂".repeat(60_000);
    expect((await collect(readText(file("long.txt", long)))).join("")).toBe(long);
  });

  test("lines keep their numbers under any chunking and either line end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b\n", "\n", "\r\n", "c\r\n")),
        async (chunks) => {
          const lines = await collect(
            splitLines(
              (async function* () {
                yield* chunks;
              })(),
            ),
          );
          const expected = chunks
            .join("")
            .split("\n")
            .map((line) => line.replace(/\r$/, ""));
          if (expected.at(-1) === "") expected.pop();
          expect(lines).toEqual(expected.map((text, index) => ({ text, line: index + 1 })));
        },
      ),
    );
  });

  test("invalid UTF-8 names a line near it", async () => {
    const bad = file(
      "bad.txt",
      Buffer.concat([Buffer.from("ok\n".repeat(200_000)), Buffer.from([0xff])]),
    );
    await expect(collect(readLines(bad))).rejects.toThrow(/bad\.txt:\d{6}: not valid UTF-8/);
  });
});

describe("output", () => {
  test("a file has its name only when it is whole", async () => {
    const target = join(folder, "whole.txt");
    const output = await openOutput(target);
    await output.write("x".repeat(100_000));
    expect(readdirSync(folder)).not.toContain("whole.txt");
    await output.close();
    expect(readFileSync(target, "utf8").length).toBe(100_000);
  });

  test("failure leaves the old file as it was, and nothing else", async () => {
    const target = file("old.txt", "old");
    const failing = withOutput(target, async (output) => {
      await output.write("new");
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(readFileSync(target, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.startsWith("old.txt"))).toEqual(["old.txt"]);
  });
});

describe("progress", () => {
  function watch(isTTY: boolean) {
    const written: string[] = [];
    let time = 0;
    const stream = { isTTY, columns: 100, write: (text: string) => written.push(text) };
    const progress = new Progress({ unit: "trees", total: 1000, stream, now: () => time });
    return {
      written,
      progress,
      at: (milliseconds: number) => {
        time = milliseconds;
      },
    };
  }

  test("silent for two seconds, then rate and time left, then gone", () => {
    const { written, progress, at } = watch(true);
    at(1900);
    progress.advance(100);
    expect(written).toEqual([]);
    at(4000);
    progress.advance(300);
    expect(written[0]).toContain("40%  400 of 1,000 trees  100/s  0:06 left");
    progress.finish();
    expect(written.at(-1)).toBe("\r\u001b[K");
  });

  test("silent where nobody watches", () => {
    const { written, progress, at } = watch(false);
    at(10_000);
    progress.advance(10);
    progress.finish();
    expect(written).toEqual([]);
  });
});
