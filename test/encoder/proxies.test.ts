import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { get, proxyFor } from "../../src/encoder/http.js";
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

test("proxies are taken from the environment", () => {
  const proxied = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href;
  expect(proxied("https://huggingface.co", {})).toBeUndefined();
  expect(proxied("https://huggingface.co", { HTTPS_PROXY: "proxy:80" })).toBe("http://proxy/");
  expect(proxied("http://huggingface.co", { HTTPS_PROXY: "proxy:80" })).toBeUndefined();
  for (const NO_PROXY of ["*", "huggingface.co", ".co", "a, huggingface.co:443"]) {
    const env = { https_proxy: "http://p", NO_PROXY };
    expect(proxied("https://huggingface.co", env), NO_PROXY).toBeUndefined();
  }
  const env = { https_proxy: "http://p", NO_PROXY: "face.co,huggingface.co:80" };
  expect(proxied("https://huggingface.co", env)).toBe("http://p/");
});

test("a proxy is asked for a plain address by its whole name", async () => {
  const asked: string[] = [];
  const proxy = await hub.listen((request, response) => {
    asked.push(request.url as string);
    request.url = new URL(request.url as string).pathname;
    hub.serve(request, response);
  });
  const url = new URL(FILE, "http://hub.test");
  const { response } = await get(url, {}, { HTTP_PROXY: proxy.url });
  expect(await text(response)).toBe("{}");
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
  await expect(get(url, {}, env)).rejects.toThrow(/self-signed/);
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const { response } = await get(url, {}, env);
  expect(await text(response)).toBe("{}");
  const basic = `Basic ${Buffer.from("me:you!").toString("base64")}`;
  expect(tunnels[0]).toEqual({ to: "hub.test:443", as: basic });
});

test("a proxy that refuses the tunnel is told", async () => {
  const proxy = await hub.listen(() => {});
  proxy.server.on("connect", (_, socket: Socket) => socket.end("HTTP/1.1 407 No\r\n\r\n"));
  const asked = get(new URL("https://hub.test"), {}, { HTTPS_PROXY: proxy.url });
  await expect(asked).rejects.toThrow(/proxy .* answered 407/);
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
