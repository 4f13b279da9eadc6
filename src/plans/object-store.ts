/**
 * A plan in object storage. An object is put as a whole, and a receipt only if there is none: `If-None-Match: *`, which
 * S3 and most stores like it know. Where a store ignores it, of two workers that end in the same moment the later
 * one's receipt counts; both are whole, each with an output of its own.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Parser } from "htmlparser2";
import { WorkFailure } from "../errors.js";
import { fileFailure } from "../files/failure.js";
import { ownedName, removeAbandoned } from "../files/owner.js";
import { writeAll } from "../files/whole.js";
import { type Reply, Requests, refusal } from "./requests.js";
import { parseS3, type S3Place, type S3Request, S3Signer } from "./s3.js";
import type { Store, StoredOutput } from "./store.js";

/** What has to be known of a body before it is sent. */
interface Body {
  readonly sha256: string;
  readonly length: number;
  /** A stream is made anew for each attempt. */
  open(): Message["body"];
}
type Message = S3Request;

/** Answers to a conditional request: there is an object, or one is just being put. */
const TAKEN = [409, 412];
/** A store that does not know the condition, and says so. */
const UNKNOWN = [400, 501];

export class ObjectStore implements Store {
  readonly name: string;
  readonly #at: S3Place;
  readonly #signer: S3Signer;
  readonly #requests: Requests;

  /** @param address `s3://bucket/folder` */
  constructor(address: string, env: NodeJS.ProcessEnv = process.env) {
    this.name = address.replace(/\/+$/, "");
    this.#at = parseS3(this.name);
    this.#signer = new S3Signer(env);
    this.#requests = new Requests(env);
  }

  nameOf(file: string): string {
    return `${this.name}/${file}`;
  }

  #keyOf(file: string): string {
    return this.#at.key === "" ? file : `${this.#at.key}/${file}`;
  }

  async #send(file: string, method: Message["method"], more: Partial<Sent> = {}): Promise<Reply> {
    const place = { bucket: this.#at.bucket, key: this.#keyOf(file) };
    return this.#requests.send(this.nameOf(file), () =>
      this.#signer.request(place, { method, ...messageOf(more) }),
    );
  }

  async read(file: string): Promise<Buffer | undefined> {
    const reply = await this.#send(file, "GET");
    if (reply.status === 200) return reply.body;
    if (reply.status === 404) return undefined;
    throw refusal(this.nameOf(file), reply);
  }

  async write(file: string, text: string): Promise<void> {
    await this.#put(file, bodyOf(Buffer.from(text)));
  }

  async #put(file: string, body: Body): Promise<void> {
    const reply = await this.#send(file, "PUT", { body });
    if (reply.status !== 200) throw refusal(this.nameOf(file), reply);
  }

  /** A store that ignores the condition is at least asked first. */
  async create(file: string, text: string): Promise<boolean> {
    const isOurs = async () => (await this.read(file))?.toString() === text;
    if ((await this.read(file)) !== undefined) return isOurs();
    const body = bodyOf(Buffer.from(text));
    const reply = await this.#send(file, "PUT", { body, headers: { "if-none-match": "*" } });
    if (reply.status === 200) return true;
    // The answer to an earlier attempt may have been lost.
    if (TAKEN.includes(reply.status)) return isOurs();
    if (!UNKNOWN.includes(reply.status)) throw refusal(this.nameOf(file), reply);
    await this.#put(file, body);
    return isOurs();
  }

  /** Grows on this machine's disk; a request must say how long its body is, and what its hash is. */
  async output(file: string): Promise<StoredOutput> {
    const folder = join(tmpdir(), "bracken-outputs");
    await mkdir(folder, { recursive: true });
    await removeAbandoned({ in: folder });
    const path = ownedName(join(folder, basename(file)), "partial");
    const handle = await open(path, "wx").catch((error) => {
      throw fileFailure(error, path);
    });
    const hash = createHash("sha256");
    let length = 0;
    const discard = async () => {
      await handle.close().catch(() => {});
      await rm(path, { force: true });
    };
    return {
      write: async (bytes) => {
        hash.update(bytes);
        length += bytes.length;
        await writeAll(handle, bytes, path);
      },
      close: async () => {
        try {
          const body = { sha256: hash.digest("hex"), length, open: () => createReadStream(path) };
          await this.#put(file, body);
        } finally {
          await discard();
        }
      },
      discard,
    };
  }

  async *stream(file: string): AsyncGenerator<Uint8Array> {
    const place = { bucket: this.#at.bucket, key: this.#keyOf(file) };
    const name = this.nameOf(file);
    const answer = await this.#requests.open(name, () =>
      this.#signer.request(place, { method: "GET", headers: {} }),
    );
    if (answer.status !== 200) {
      answer.body.on("error", () => {}).resume();
      throw refusal(name, { ...answer, body: Buffer.alloc(0) });
    }
    try {
      for await (const chunk of answer.body) yield chunk as Buffer;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new WorkFailure(`${name}: reading broke off: ${problem}`, "start again");
    }
  }

  async list(folder: string): Promise<string[]> {
    const prefix = `${this.#keyOf(folder)}/`;
    const names: string[] = [];
    let token: string | undefined;
    do {
      const query: Record<string, string> = { "list-type": "2", prefix };
      if (token !== undefined) query["continuation-token"] = token;
      const place = { bucket: this.#at.bucket, key: "" };
      const reply = await this.#requests.send(this.nameOf(folder), () =>
        this.#signer.request(place, { method: "GET", headers: {}, query }),
      );
      if (reply.status !== 200) throw refusal(this.nameOf(folder), reply);
      const { keys, next } = parseListing(reply.body.toString());
      names.push(...keys.map((key) => key.slice(prefix.length)));
      token = next;
    } while (token !== undefined);
    return names;
  }

  async remove(file: string): Promise<void> {
    await this.#send(file, "DELETE");
  }
}

interface Sent {
  readonly headers: Record<string, string>;
  readonly body: Body;
}

function messageOf({ headers = {}, body }: Partial<Sent>): Omit<Message, "method"> {
  if (!body) return { headers };
  const { sha256, length } = body;
  const described = { "x-amz-content-sha256": sha256, "content-length": `${length}` };
  return { headers: { ...headers, ...described }, body: body.open() };
}

function bodyOf(bytes: Buffer): Body {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, length: bytes.length, open: () => bytes };
}

/** The answer to a request for a list of objects. */
export function parseListing(xml: string): { keys: string[]; next: string | undefined } {
  const keys: string[] = [];
  let next: string | undefined;
  let text = "";
  const parser = new Parser(
    {
      onopentag: () => {
        text = "";
      },
      ontext: (piece) => {
        text += piece;
      },
      onclosetag: (name) => {
        if (name === "Key") keys.push(text);
        if (name === "NextContinuationToken") next = text;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { keys, next };
}
