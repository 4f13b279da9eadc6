/**
 * Requests to S3 and stores that are like it. The settings are those of Amazon's own tools, from the environment;
 * aws4fetch, an optional package, signs.
 */

import type { Message } from "../encoder/http.js";
import { InputError } from "../errors.js";
import { codeOf } from "../files/failure.js";

/** An object by its address: `s3://bucket/key`. */
export interface S3Place {
  readonly bucket: string;
  readonly key: string;
}

/** @throws InputError if there is no bucket in it. */
export function parseS3(address: string): S3Place {
  const [, bucket, key = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket !== undefined) return { bucket, key };
  throw new InputError(
    "this is not the address of an object",
    { file: address },
    "s3://bucket/key",
  );
}

export interface S3Request extends Message {
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Makes the addresses of objects on the wire, and signs requests. */
export class S3Signer {
  readonly #env: NodeJS.ProcessEnv;
  readonly #region: string;
  readonly #endpoint: string | undefined;
  /** Keys derived for a day are kept. */
  readonly #cache = new Map<string, ArrayBuffer>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
    this.#region = env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1";
    this.#endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined;
    if (this.#endpoint !== undefined && !URL.canParse(this.#endpoint)) {
      throw new InputError(
        `AWS_ENDPOINT_URL is not an address: ${this.#endpoint}`,
        {},
        "an address looks like https://host:port",
      );
    }
  }

  /** Stores of one's own have the bucket in the path; Amazon has it in the name of the host. */
  #urlOf({ bucket, key }: S3Place, query: Readonly<Record<string, string>>): URL {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const base =
      this.#endpoint === undefined
        ? `https://${bucket}.s3.${this.#region}.amazonaws.com`
        : `${this.#endpoint.replace(/\/+$/, "")}/${bucket}`;
    const url = new URL(path === "" ? base : `${base}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** A request as it is sent. Without a key in the environment it is not signed, which is enough for public data. */
  async request(
    place: S3Place,
    { query = {}, ...message }: S3Request,
  ): Promise<Message & { url: URL }> {
    const url = this.#urlOf(place, query);
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = this.#env;
    if (!accessKeyId || !secretAccessKey) return { ...message, url };
    const { AwsV4Signer } = await loadSigner();
    const { AWS_SESSION_TOKEN: token } = this.#env;
    const signer = new AwsV4Signer({
      ...{ url: url.href, method: message.method, accessKeyId, secretAccessKey },
      ...{ service: "s3", region: this.#region, cache: this.#cache },
      ...(token ? { sessionToken: token } : {}),
      headers: message.headers,
    });
    const { url: signed, headers } = await signer.sign();
    return { ...message, url: signed, headers: Object.fromEntries(headers) };
  }
}

async function loadSigner(): Promise<typeof import("aws4fetch")> {
  try {
    return await import("aws4fetch");
  } catch (error) {
    if (!codeOf(error).endsWith("MODULE_NOT_FOUND")) throw error;
    throw new InputError(
      "object storage needs the package aws4fetch, which is not installed",
      {},
      "install it where bracken is: npm install aws4fetch (with -g if bracken is global)",
    );
  }
}
