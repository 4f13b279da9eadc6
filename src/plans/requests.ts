/**
 * Requests to web servers and object stores that are repeated as long as that may help: servers that are busy, and
 * connections that break, are part of every long run.
 */

import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, HttpClient, type Message } from "../encoder/http.js";
import { InputError, WorkFailure } from "../errors.js";

/** A request, made anew for each attempt: signatures age, and streams are used up. */
export type MakeRequest = () => Promise<Message & { readonly url: URL }>;

/** An answer that is no server's fault, with its body read. */
export interface Reply {
  readonly status: number;
  readonly headers: Answer["headers"];
  readonly body: Buffer;
}

const ATTEMPTS = 7;
const FIRST_PAUSE_MS = 100;

/** Busy, or broken for now. */
function isPassing(status: number): boolean {
  // 501 is a server that will never do it.
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

export class Requests {
  readonly #client: HttpClient;

  constructor(env: NodeJS.ProcessEnv) {
    this.#client = new HttpClient(env);
  }

  /** @throws WorkFailure if the server cannot be reached, or breaks, again and again. */
  async send(name: string, make: MakeRequest): Promise<Reply> {
    return this.#repeat(name, make, async ({ status, headers, body }) => {
      return { status, headers, body: await readAll(body) };
    });
  }

  /** The same for a body that is read bit by bit; what breaks in its middle is not repeated. */
  async open(name: string, make: MakeRequest): Promise<Answer> {
    return this.#repeat(name, make, async (answer) => answer);
  }

  async #repeat<Result>(
    name: string,
    make: MakeRequest,
    take: (answer: Answer) => Promise<Result>,
  ): Promise<Result> {
    let problem = "";
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Workers that failed together should not come back together.
      if (attempt > 0) await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
      try {
        const { url, ...message } = await make();
        const answer = await this.#client.send(url, message);
        if (!isPassing(answer.status)) return await take(answer);
        problem = `it answers ${answer.status}`;
        answer.body.on("error", () => {}).resume();
      } catch (error) {
        if (error instanceof InputError || error instanceof WorkFailure) throw error;
        problem = error instanceof Error ? error.message : String(error);
      }
    }
    throw new WorkFailure(
      `${name}: the request failed: ${problem}`,
      "check the server, and start again: finished work is kept",
    );
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The error for an answer that repeating does not change. */
export function refusal(name: string, { status, body }: Reply): InputError {
  const code = /<Code>(\w+)<\/Code>/.exec(body.toString("latin1", 0, 2000))?.[1];
  const said = code ? `${status} ${code}` : `${status}`;
  if (status === 404) return new InputError("no such file", { file: name }, "check the address");
  const isDenied = status === 401 || status === 403;
  return new InputError(
    `${isDenied ? "access is denied" : "the server refuses the request"}: ${said}`,
    { file: name },
    isDenied
      ? "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, or the permissions of the address"
      : "check the address, and AWS_ENDPOINT_URL and AWS_REGION if it is in object storage",
  );
}
