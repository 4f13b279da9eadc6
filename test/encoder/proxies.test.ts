import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HttpClient } from "../../src/encoder/http.js";
import { temporaryFolder } from "../temporary.js";
import { FakeHub } from "./fake-hub.js";

const root = temporaryFolder();
const FILE = "/owner/model/resolve/main/config.json";
let hub: FakeHub;

beforeEach(() => {
  hub = new FakeHub();
});

afterEach(() => {
  hub.close();
  vi.unstubAllEnvs();
});

/** Asks for a file; returns its text, and closes the connection. */
async function ask(url: URL, env: Record<string, string>): Promise<string> {
  const client = new HttpClient(env);
  try {
    return await text((await client.get(url)).body);
  } finally {
    await client.close();
  }
}

test("the environment says which addresses go to a proxy", async () => {
  const there = await hub.listen();
  const url = new URL(FILE, there.url);
  const proxy = await hub.listen((_, response) => response.end("by proxy"));
  const answers = async (env: Record<string, string>) => ask(url, env);
  expect(await answers({})).toBe("{}");
  expect(await answers({ HTTP_PROXY: proxy.url.slice("http://".length) })).toBe("by proxy");
  expect(await answers({ http_proxy: proxy.url })).toBe("by proxy");
  expect(await answers({ HTTPS_PROXY: proxy.url })).toBe("{}");
  for (const NO_PROXY of ["*", "127.0.0.1", "a, 127.0.0.1", `x,127.0.0.1:${url.port}`]) {
    expect(await answers({ http_proxy: proxy.url, NO_PROXY }), NO_PROXY).toBe("{}");
  }
  for (const NO_PROXY of ["", "27.0.0.1", "0.0.2", "127.0.0.1:1"]) {
    expect(await answers({ http_proxy: proxy.url, NO_PROXY }), NO_PROXY).toBe("by proxy");
  }
  await expect(answers({ http_proxy: "http://:0:" })).rejects.toMatchObject({ name: "InputError" });
});

test("redirects are in sight, hop by hop", async () => {
  const there = await hub.listen();
  const client = new HttpClient({});
  const url = new URL(FILE.replace("config.json", "model.safetensors"), there.url);
  const { status, hops, body } = await client.get(url, { range: "bytes=1999990-" });
  expect(
    (await buffer(body)).equals(hub.files["model.safetensors"]?.subarray(1_999_990) as Buffer),
  ).toBe(true);
  expect([status, hops.length]).toEqual([206, 2]);
  expect(hops[0]?.headers["x-linked-etag"]).toMatch(/^"[0-9a-f]{64}"$/);
  await client.close();
});

test("a proxy is asked for a plain address by its whole name", async () => {
  const asked: string[] = [];
  const proxy = await hub.listen((request, response) => {
    asked.push(request.url as string);
    request.url = new URL(request.url as string).pathname;
    hub.serve(request, response);
  });
  const url = new URL(FILE, "http://hub.test");
  expect(await ask(url, { HTTP_PROXY: proxy.url })).toBe("{}");
  expect(asked).toEqual([url.href]);
});

test.skipIf(!hasOpenssl())("a proxy is asked for a tunnel to an encrypted address", async () => {
  const port = await hub.listenSecurely(certificate());
  const tunnels: { to: string | undefined; as: string | undefined }[] = [];
  const proxy = await hub.listen(() => {});
  proxy.server.on("connect", async (request: IncomingMessage, socket: Socket) => {
    tunnels.push({ to: request.url, as: request.headers["proxy-authorization"] });
    const onward = connect(port, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    await once(onward, "connect");
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    onward.pipe(socket).pipe(onward);
  });
  const env = { HTTPS_PROXY: proxy.url.replace("http://", "http://me:you%21@") };
  const url = new URL(FILE, "https://hub.test");
  await expect(ask(url, env)).rejects.toThrow(/self-signed/);
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  expect(await ask(url, env)).toBe("{}");
  const basic = `Basic ${Buffer.from("me:you!").toString("base64")}`;
  expect(tunnels[0]).toEqual({ to: "hub.test:443", as: basic });
});

test("a proxy that refuses the tunnel is told", async () => {
  const proxy = await hub.listen(() => {});
  proxy.server.on("connect", (_, socket: Socket) => socket.end("HTTP/1.1 407 No\r\n\r\n"));
  const asked = ask(new URL("https://hub.test"), { HTTPS_PROXY: proxy.url });
  await expect(asked).rejects.toThrow(/proxy .*407/i);
});

function hasOpenssl(): boolean {
  return spawnSync("openssl", ["version"]).status === 0;
}

/** One that nobody has reason to trust. */
function certificate(): { key: Buffer; cert: Buffer } {
  const key = join(root, "key.pem");
  const cert = join(root, "cert.pem");
  const kind = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=hub.test"];
  spawnSync("openssl", [...kind, "-days", "1", "-keyout", key, "-out", cert]);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
