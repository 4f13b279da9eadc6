/** Inputs by their addresses: stretches of files on the web and in object storage, by HTTP ranges. */

import { InputError } from "../errors.js";
import { isAddress } from "../files/address.js";
import { openLocalRanges, type RangeReader } from "./inputs.js";
import { type MakeRequest, type Reply, Requests, refusal } from "./requests.js";
import { parseS3, S3Signer } from "./s3.js";

/** Opens files by their paths or addresses. */
export class AnyRanges {
  readonly #env: NodeJS.ProcessEnv;
  #requests: Requests | undefined;
  #signer: S3Signer | undefined;

  constructor(env: NodeJS.ProcessEnv = process.env) {
    this.#env = env;
  }

  open = async (at: string): Promise<RangeReader> => {
    return isAddress(at) ? this.#openRemote(at) : openLocalRanges(at);
  };

  async #openRemote(at: string): Promise<RangeReader> {
    this.#requests ??= new Requests(this.#env);
    const requests = this.#requests;
    const get = (begin: number, end: number) =>
      requests.send(at, this.#request(at, `bytes=${begin}-${end - 1}`));
    const first = await get(0, 1);
    return {
      size: sizeOf(at, first),
      read: async (begin, end) => {
        const reply = await get(begin, end);
        if (reply.status !== 206) throw refusal(at, reply);
        return reply.body;
      },
      close: async () => {},
    };
  }

  #request(at: string, range: string): MakeRequest {
    const message = { method: "GET", headers: { range } } as const;
    if (!at.startsWith("s3:")) return async () => ({ ...message, url: new URL(at) });
    this.#signer ??= new S3Signer(this.#env);
    const signer = this.#signer;
    const place = parseS3(at);
    return () => signer.request(place, message);
  }

  async close(): Promise<void> {
    await this.#requests?.close();
  }
}

/** The size of a file, from the answer to a request for its first byte. */
function sizeOf(at: string, reply: Reply): number {
  const { status, headers } = reply;
  // Of an empty file there is no first byte.
  const [, size] = /\/(\d+)$/.exec(`${headers["content-range"]}`) ?? [];
  if (status === 416 && (size === "0" || size === undefined)) return 0;
  if (status === 206 && size !== undefined) return Number(size);
  if (status === 200 && headers["content-length"] === "0") return 0;
  if (status !== 200) throw refusal(at, reply);
  throw new InputError(
    "this server does not send parts of files",
    { file: at },
    "use a server that supports range requests, or download the file",
  );
}
