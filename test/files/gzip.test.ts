/** gzip members: found where they begin, with the same contents as Node's own reading. */

import { crc32, gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzipMembers } from "../../src/files/gzip.js";

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(bytes: Uint8Array, sizes: readonly number[] = [7000]) {
  const members: { seek: number; unpacked: number }[] = [];
  const found: Buffer[] = [];
  const onMember = (seek: number, unpacked: number) => members.push({ seek, unpacked });
  for await (const part of gunzipMembers(inChunks(bytes, sizes), onMember)) found.push(part);
  return { contents: Buffer.concat(found), members };
}

/** As `gzip` and `bgzip` write it: with a name, with an extra field, with everything. */
function withHeader(member: Buffer, flags: number): Buffer {
  const header = Buffer.from(member.subarray(0, 10));
  header[3] = flags;
  const extra = flags & 4 ? Buffer.from([3, 0, 1, 2, 3]) : Buffer.alloc(0);
  const name = flags & 8 ? Buffer.from("corpus.txt\0") : Buffer.alloc(0);
  const comment = flags & 16 ? Buffer.from("of no use\0") : Buffer.alloc(0);
  const begin = Buffer.concat([header, extra, name, comment]);
  const sum = crc32(begin) & 0xffff;
  const checksum = flags & 2 ? Buffer.from([sum & 0xff, sum >> 8]) : Buffer.alloc(0);
  return Buffer.concat([begin, checksum, member.subarray(10)]);
}

describe("gzip members", () => {
  const contents = fc.array(
    fc.tuple(fc.string({ maxLength: 400 }), fc.integer({ min: 0, max: 300 })),
    { minLength: 1, maxLength: 12 },
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 3 });

  test("however they are cut into chunks, each is found, and nothing else changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        contents,
        sizes,
        fc.integer({ min: 0, max: 15 }),
        async (texts, cut, kind) => {
          const plain = texts.map(([text, times]) => Buffer.from(text.repeat(times)));
          const packed = plain.map((each) => withHeader(gzipSync(each), kind * 2));
          const whole = Buffer.concat(packed);
          const found = await read(whole, cut);
          expect(found.contents.equals(Buffer.concat(plain))).toBe(true);
          const sum = (list: readonly Buffer[], count: number) =>
            list.slice(0, count).reduce((total, { length }) => total + length, 0);
          const expected = plain.map((_, at) => ({
            seek: sum(packed, at),
            unpacked: sum(plain, at),
          }));
          expect(found.members).toEqual(expected);
          for (const { seek, unpacked } of found.members) {
            const rest = gunzipSync(whole.subarray(seek));
            expect(rest.equals(found.contents.subarray(unpacked))).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("what follows the last member is passed over, as gunzip does", async () => {
    const packed = gzipSync("a text");
    for (const after of [Buffer.alloc(512), Buffer.from("garbage that is no member")]) {
      const { contents: found } = await read(Buffer.concat([packed, after]));
      expect(found.toString()).toBe("a text");
    }
  });

  test("damaged data is an error with zlib's code", async () => {
    const packed = gzipSync("one two three four five six ".repeat(50));
    for (const cut of [packed.length - 3, packed.length - 12, 30]) {
      await expect(read(packed.subarray(0, cut))).rejects.toHaveProperty(
        "code",
        expect.stringMatching(/^Z_/),
      );
    }
    for (const at of [packed.length - 1, packed.length - 8, 20]) {
      const altered = Buffer.from(packed);
      altered[at] = (altered[at] as number) ^ 0x55;
      await expect(read(altered)).rejects.toHaveProperty("code", expect.stringMatching(/^Z_/));
    }
  });

  test("a source that fails is the reader's error", async () => {
    async function* failing() {
      yield gzipSync("x".repeat(100_000)).subarray(0, 60);
      throw new Error("gone");
    }
    const reading = async () => {
      for await (const _ of gunzipMembers(failing(), () => {}));
    };
    await expect(reading()).rejects.toThrow("gone");
  });
});
