/** The service behind nginx, with the configuration that deploy/ holds: what docs/service.md claims of it. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiKeys } from "../../src/service/api-keys.js";
import { ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { type InProcess, startInProcess } from "./in-process.js";

const NAME = "parse.example.org";
const NGINX = [process.env.BRACKEN_NGINX, "/usr/sbin/nginx", "/usr/local/sbin/nginx"].find(
  (path) => path !== undefined && existsSync(path),
);
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!NGINX || !hasOpenssl) {
  console.warn(
    'SKIPPED: "behind nginx" needs nginx and openssl: apt-get install nginx openssl, or set BRACKEN_NGINX',
  );
}

const folder = temporaryFolder();
let nginx: ChildProcess | undefined;
let port = 0;
let [first, second] = [0, 0];

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });
}

/** The example as it is, but for addresses and files. */
function exampleConfig(): string {
  const changes: readonly (readonly [string, string])[] = [
    ["server 127.0.0.1:8080", `server 127.0.0.1:${first}`],
    ["server 127.0.0.1:8081", `server 127.0.0.1:${second}`],
    ["listen 443", `listen 127.0.0.1:${port}`],
    [`/etc/letsencrypt/live/${NAME}/fullchain.pem`, join(folder, "cert.pem")],
    [`/etc/letsencrypt/live/${NAME}/privkey.pem`, join(folder, "key.pem")],
  ];
  let text = readFileSync(join(ROOT, "deploy/nginx.conf"), "utf8");
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  return text;
}

async function startNginx(): Promise<void> {
  [port, first, second] = [await freePort(), await freePort(), await freePort()];
  const subject = ["-subj", `/CN=${NAME}`, "-addext", `subjectAltName=DNS:${NAME}`];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files],
    { stdio: "ignore" },
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  writeFileSync(join(folder, "site.conf"), exampleConfig());
  const whole = `daemon off; pid ${join(folder, "pid")}; error_log stderr warn; worker_processes 1;
    events {} http { access_log off; ${temporary.join(" ")} include ${join(folder, "site.conf")}; }`;
  writeFileSync(join(folder, "nginx.conf"), whole);
  const started = spawn(NGINX as string, ["-p", folder, "-c", join(folder, "nginx.conf")]);
  nginx = started;
  let complaints = "";
  started.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk;
  });
  started.once("exit", (code) => {
    if (code) throw new Error(`nginx ended with ${code}: ${complaints}`);
  });
  // It listens, and has nobody to ask.
  await vi.waitFor(async () => expect((await ask({ path: "/" })).status).toBe(502), 20_000);
}

interface Answered {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

interface Asked {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localAddress?: string;
  readonly agent?: Agent;
}

/** A request over TLS to the name of the service. */
function ask(options: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    open(options, (answer) => {
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    }).on("error", reject);
  });
}

function open(
  { body, headers, ...options }: Asked,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  const sent = request(
    {
      host: "127.0.0.1",
      port,
      servername: NAME,
      ca: readFileSync(join(folder, "cert.pem")),
      method: body === undefined ? "GET" : "POST",
      headers: {
        host: NAME,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...options,
    },
    onAnswer,
  );
  return sent.end(body === undefined ? undefined : JSON.stringify(body));
}

const own = (where: number, changes: Parameters<typeof startInProcess>[0] = {}) =>
  startInProcess({
    port: where,
    trustProxy: ["127.0.0.1"],
    access: { host: "127.0.0.1", allowHosts: [NAME], cors: [], keys: undefined },
    ...changes,
  });

const parse = (text: string, more: Partial<Asked> = {}) =>
  ask({ path: "/v1/parse", body: { text }, ...more });

describe.skipIf(!NGINX || !hasOpenssl)("behind nginx", () => {
  beforeAll(startNginx);
  afterAll(() => {
    nginx?.removeAllListeners("exit");
    nginx?.kill("SIGTERM");
  });

  test("requests, answers, headers and errors go through", async () => {
    await own(first);
    const { status, headers, body } = await parse("A dog ran.", {
      headers: { origin: `https://${NAME}` },
    });
    expect([status, JSON.parse(body).sentences.length]).toEqual([200, 1]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["cross-origin-embedder-policy"]).toBe("require-corp");
    expect(headers["strict-transport-security"]).toContain("max-age");
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
    const foreign = await parse("A dog ran.", { headers: { origin: "https://evil.example" } });
    expect([foreign.status, JSON.parse(foreign.body).error.code]).toEqual([403, "foreign_origin"]);
    const large = await ask({ path: "/v1/parse", body: { text: "a ".repeat(600_000) } });
    expect(large.status).toBe(413);
  });

  test("a service that was not told its name says how to tell it", async () => {
    await own(first, { access: { host: "127.0.0.1", allowHosts: [], cors: [], keys: undefined } });
    const { status, body } = await parse("A dog ran.");
    expect([status, body]).toEqual([421, expect.stringContaining(`--allow-host ${NAME}`)]);
  });

  test("keys are passed on, and so is the wish for one", async () => {
    const keys = new ApiKeys(["a-key-for-the-proxy-test"]);
    await own(first, { access: { host: "127.0.0.1", allowHosts: [NAME], cors: [], keys } });
    const refused = await parse("A dog ran.");
    expect(refused.status).toBe(401);
    expect(`${refused.headers["www-authenticate"]}`).toMatch(/Bearer.*Basic/);
    const headers = { authorization: "Bearer a-key-for-the-proxy-test" };
    expect((await parse("A dog ran.", { headers })).status).toBe(200);
  });

  test("records of a stream come as they are done, not when all are", async () => {
    const { engine } = await own(first);
    engine.hold(1);
    const lines = Array.from({ length: 300 }, (_, index) => `dog ${index}`);
    let text = "";
    const answer = new Promise<void>((resolve, reject) => {
      open({ path: "/v1/parse?stream=1", body: { lines } }, (response) => {
        response.on("data", (chunk: Buffer) => {
          text += chunk;
        });
        response.on("end", resolve);
      }).on("error", reject);
    });
    // The parser waits, and still the first ones are here.
    await expect.poll(() => text.split("\n").length).toBeGreaterThan(1);
    expect(text.split("\n").length).toBeLessThan(300);
    engine.release();
    await answer;
    expect(text.trimEnd().split("\n")).toHaveLength(300);
  });

  test("connections are kept: nginx's to the service and the client's to nginx", async () => {
    const service = await own(first);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    for (let count = 0; count < 20; count++) {
      await new Promise((resolve, reject) => {
        const sent = open({ agent, path: "/v1/models" }, (answer) => {
          answer.resume();
          answer.on("end", resolve);
        });
        sent.on("socket", (socket) => sockets.add(socket));
        sent.on("error", reject);
      });
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
    expect(service.connections()).toBe(1);
  });

  test("the client's own address is logged, not what it claims to be", async () => {
    const service = await own(first);
    await parse("A dog ran.", {
      localAddress: "127.0.0.5",
      headers: { "x-forwarded-for": "10.9.8.7" },
    });
    const addresses = () => service.log().map(({ address }) => address);
    await expect.poll(addresses).toContain("127.0.0.5");
    expect(addresses()).not.toContain("10.9.8.7");
  });

  test("two services restarted one after the other lose no request", async () => {
    const drain = { delay: 1, seconds: 30 };
    const services: InProcess[] = [await own(first, { drain }), await own(second, { drain })];
    let isOver = false;
    const statuses: number[] = [];
    const client = async () => {
      while (!isOver) statuses.push((await parse("A dog ran.")).status);
    };
    const clients = Array.from({ length: 8 }, client);
    const served = (count: number) => expect.poll(() => statuses.length).toBeGreaterThan(count);
    await served(50);
    for (const [index, where] of [first, second].entries()) {
      await services[index]?.close();
      await served(statuses.length + 50);
      services[index] = await own(where, { drain });
      const logged = services[index].log;
      await expect.poll(() => logged().length).toBeGreaterThan(0);
    }
    isOver = true;
    await Promise.all(clients);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  test("counts are for those inside", async () => {
    await own(first);
    expect((await ask({ path: "/metrics" })).status).toBe(200);
    expect((await ask({ path: "/metrics", localAddress: "127.0.0.6" })).status).toBe(403);
  });
});
