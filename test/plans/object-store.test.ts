/** Plans, inputs and outputs in object storage (s3rver, which checks signatures) and inputs from a web server. */

import { mkdirSync, readFileSync, statSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ObjectStore, parseListing } from "../../src/plans/object-store.js";
import { AnyRanges } from "../../src/plans/remote-inputs.js";
import { bracken } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { Fleet } from "./fleet.js";
import { freePort } from "./redis.js";

const folder = temporaryFolder();
const KEYS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
let fleet: Fleet;
let stores: S3rver;
let front: Server;
let env: Record<string, string>;
/** What the store in front of the other does: as S3 does, or as stores that do not know conditions. */
let conditions: "kept" | "ignored" | "refused" = "kept";
/** How many requests are still answered with 503, or not at all. */
let [busy, broken] = [0, 0];

/** s3rver ignores the condition of a PUT; this puts it in front, as S3 has it. */
async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
): Promise<void> {
  if (broken > 0) {
    broken -= 1;
    incoming.socket.destroy();
    return;
  }
  const { method = "GET", url = "/", headers } = incoming;
  const isCondition = method === "PUT" && headers["if-none-match"] === "*";
  const answer = (status: number) => {
    incoming.resume();
    incoming.on("end", () =>
      outgoing.writeHead(status).end(`<Error><Code>No${status}</Code></Error>`),
    );
  };
  if (busy > 0) {
    busy -= 1;
    return answer(503);
  }
  if (isCondition && conditions === "refused") return answer(501);
  if (isCondition && conditions === "kept" && (await exists(decodeURIComponent(url))))
    return answer(412);
  const onward = request({ port, host: "127.0.0.1", method, path: url, headers }, (back) => {
    outgoing.writeHead(back.statusCode ?? 500, back.headers);
    back.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}

/** By the files in which s3rver keeps objects. */
async function exists(path: string): Promise<boolean> {
  return (
    statSync(join(folder, "s3", `${path}._S3rver_object`), { throwIfNoEntry: false }) !== undefined
  );
}

beforeAll(async () => {
  fleet = await Fleet.prepare(folder);
  mkdirSync(join(folder, "s3"));
  const port = await freePort();
  stores = new S3rver({
    ...{ address: "127.0.0.1", port, silent: true, directory: join(folder, "s3") },
    configureBuckets: [{ name: "corpora", configs: [] }],
  });
  await stores.run();
  front = createServer((incoming, outgoing) => void pass(incoming, outgoing, port));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port: open } = front.address() as { port: number };
  env = { ...KEYS, AWS_ENDPOINT_URL: `http://127.0.0.1:${open}` };
});

afterEach(() => {
  conditions = "kept";
  [busy, broken] = [0, 0];
});

afterAll(async () => {
  front?.close();
  await stores?.close();
});

const storeAt = (place: string) => new ObjectStore(`s3://corpora/${place}`, env);

describe("a store of objects", () => {
  test("reads, writes, lists and removes, also names with blanks and signs", async () => {
    const store = storeAt("a folder/b+c");
    expect(await store.read("x.json")).toBeUndefined();
    await store.write("parts/x y.json", "one");
    await store.write("parts/z+.json", "two");
    expect((await store.read("parts/x y.json"))?.toString()).toBe("one");
    expect((await store.list("parts")).sort()).toEqual(["x y.json", "z+.json"]);
    expect(await store.list("none")).toEqual([]);
    await store.remove("parts/x y.json");
    expect(await store.list("parts")).toEqual(["z+.json"]);
  });

  test("an output is an object when it is whole, and not before", async () => {
    const store = storeAt("outputs");
    const output = await store.output("parts/1.out");
    await output.write(Buffer.from("first "));
    await output.write(Buffer.from("second"));
    expect(await store.list("parts")).toEqual([]);
    await output.close();
    const chunks: Uint8Array[] = [];
    for await (const chunk of store.stream("parts/1.out")) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("first second");
    const other = await store.output("parts/2.out");
    await other.write(Buffer.from("never"));
    await other.discard();
    expect(await store.list("parts")).toEqual(["1.out"]);
  });

  test("one of many creates an object, as far as the store keeps conditions", async () => {
    const store = storeAt("receipts");
    const create = (file: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => store.create(file, `by ${at}`)));
    expect(await store.create("one", "mine")).toBe(true);
    // The answer to the first was lost, say.
    expect(await store.create("one", "mine")).toBe(true);
    expect(await store.create("one", "another's")).toBe(false);
    expect((await store.read("one"))?.toString()).toBe("mine");
    for (const kind of ["ignored", "refused"] as const) {
      conditions = kind;
      expect((await create(kind, 1)).filter(Boolean)).toHaveLength(1);
      expect((await create(kind, 3)).filter(Boolean)).toHaveLength(1);
    }
  });

  test("servers that are busy or break are asked again", async () => {
    const store = storeAt("patience");
    busy = 2;
    await store.write("a", "text");
    broken = 2;
    expect((await store.read("a"))?.toString()).toBe("text");
    busy = 1;
    const output = await store.output("b");
    await output.write(Buffer.alloc(1 << 20, "x"));
    await output.close();
    expect((await store.read("b"))?.length).toBe(1 << 20);
  });

  test("wrong keys and wrong addresses are errors that name them", async () => {
    const wrong = new ObjectStore("s3://corpora/plan", { ...env, AWS_SECRET_ACCESS_KEY: "no" });
    await expect(wrong.write("a", "text")).rejects.toThrow(/plan\/a: access is denied: 403/);
    const other = new ObjectStore("s3://nowhere/plan", env);
    await expect(other.write("a", "text")).rejects.toThrow(/no such file/);
    expect(() => new ObjectStore("s3:///plan", env)).toThrow(/not the address of an object/);
  });

  test("long lists come in pages", () => {
    const page =
      "<R><Contents><Key>a&amp;b</Key></Contents><NextContinuationToken>t</NextContinuationToken></R>";
    expect(parseListing(page)).toEqual({ keys: ["a&b"], next: "t" });
    expect(parseListing("<R><IsTruncated>false</IsTruncated></R>")).toEqual({
      keys: [],
      next: undefined,
    });
  });
});

describe("a plan", { timeout: 240_000 }, () => {
  test("of an object, kept in the store, gives the same bytes as files do", async () => {
    const input = storeAt("inputs");
    await input.write("text.txt", readFileSync(fleet.text, "utf8"));
    const plan = await fleet.newPlan("s3://corpora/plans/one", "s3://corpora/inputs/text.txt", env);
    const work = (part: string) =>
      bracken(["work", plan, "--threads", "1", "--part", part], { env });
    const [first, second] = await Promise.all([work("1-3"), work("3-6")]);
    expect([first, second]).toMatchObject([{ code: 0 }, { code: 0 }]);
    const status = await bracken(["status", plan], { env });
    expect(status.stdout).toMatch(/^done +6 of 6 parts/);
    await fleet.expectWhole(plan, env, "s3://corpora/inputs/text.txt");
    const next = await bracken(["work", plan, "--part", "next"], { env });
    expect(next).toMatchObject({ code: 2, stderr: expect.stringContaining("use --queue") });
  });

  test("reads its input from a web server by ranges, and refuses one that has none", async () => {
    const bytes = readFileSync(fleet.text);
    const web = createServer((incoming, outgoing) => {
      const [, begin, end] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? "") ?? [];
      if (incoming.url === "/whole.txt" || begin === undefined) {
        outgoing.writeHead(200, { "content-length": bytes.length }).end(bytes);
        return;
      }
      const piece = bytes.subarray(Number(begin), Number(end) + 1);
      const range = `bytes ${begin}-${Number(begin) + piece.length - 1}/${bytes.length}`;
      outgoing.writeHead(206, { "content-range": range }).end(piece);
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const { port } = web.address() as { port: number };
    const at = `http://127.0.0.1:${port}`;
    try {
      const plan = await fleet.newPlan(undefined, `${at}/text.txt`);
      expect((await bracken(["work", plan, "--threads", "1"])).code).toBe(0);
      await fleet.expectWhole(plan, {}, `${at}/text.txt`);
      const ranges = new AnyRanges({});
      await expect(ranges.open(`${at}/whole.txt`)).rejects.toThrow(/does not send parts of files/);
      await ranges.close();
    } finally {
      web.close();
    }
    const plain = await bracken(["parse", `${at}/text.txt`]);
    expect(plain).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("only plans can read files"),
    });
  });
});
