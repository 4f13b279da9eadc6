/** Who is let in: names, origins, keys, and how much a client may ask for. */

import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Access } from "../../src/service/access.js";
import { ApiKeys, readApiKeys } from "../../src/service/api-keys.js";
import { ClientLimits, clientOfAddress } from "../../src/service/client-limits.js";
import type { ServiceError } from "../../src/service/service-error.js";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { startInProcess } from "./in-process.js";
import { get, post, raw, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
const KEYS = ["first-key-of-the-tests", "second-key-of-the-tests"] as const;
let model = "";
beforeAll(async () => {
  model = await writeTinyModel(folder);
});

const access = (changes = {}) =>
  new Access({ host: "127.0.0.1", allowHosts: [], cors: [], keys: undefined, ...changes });

function codeOf(action: () => void): string {
  try {
    action();
    return "fine";
  } catch (error) {
    return (error as ServiceError).code;
  }
}

describe("Host", () => {
  test.each([
    ["localhost", "fine"],
    ["LOCALHOST:8080", "fine"],
    ["localhost.", "fine"],
    ["app.localhost:1", "fine"],
    ["127.0.0.1:8080", "fine"],
    ["10.1.2.3", "fine"],
    ["[::1]:8080", "fine"],
    [undefined, "fine"],
    ["rebound.example:8080", "unknown_host"],
    ["localhost.evil.example", "unknown_host"],
    ["evil-localhost", "unknown_host"],
    ["127.0.0.1.evil.example", "unknown_host"],
    ["", "unknown_host"],
    ["a b", "unknown_host"],
    ["user@localhost", "fine"],
    ["localhost@evil.example", "unknown_host"],
  ])("%s: %s", (host, expected) => {
    expect(codeOf(() => access().checkHost({ host }))).toBe(expected);
  });

  test("names that the service was told of", () => {
    const named = access({ host: "Parse.example", allowHosts: ["Other.example"] });
    for (const host of ["parse.example", "other.EXAMPLE:443", "localhost"]) {
      expect(codeOf(() => named.checkHost({ host }))).toBe("fine");
    }
    expect(codeOf(() => named.checkHost({ host: "third.example" }))).toBe("unknown_host");
    expect(codeOf(() => access({ allowHosts: ["*"] }).checkHost({ host: "any" }))).toBe("fine");
  });

  test("a page that was made to resolve to this machine gets nothing", async () => {
    const service = await serve(model, "--watch", folder);
    for (const path of ["", "v1/models", "v1/runs", "healthz", "models/model/config.json"]) {
      const answer = await raw(
        service.port,
        `GET /${path} HTTP/1.1\r\nhost: rebound.example:${service.port}\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 421 /);
      expect(answer).toContain("--allow-host rebound.example");
    }
    const named = await serve(model, "--allow-host", "rebound.example,other.example");
    const answer = await raw(
      named.port,
      "GET /v1/models HTTP/1.1\r\nhost: rebound.example\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("Origin", () => {
  test.each([
    ["http://localhost:8080", "localhost:8080", "fine"],
    ["https://parse.example", "parse.example", "fine"],
    ["https://parse.example", "parse.example:443", "fine"],
    ["http://[::1]:8080", "[::1]:8080", "fine"],
    ["http://localhost:3000", "localhost:8080", "foreign_origin"],
    ["http://evil.example", "localhost:8080", "foreign_origin"],
    ["null", "localhost:8080", "foreign_origin"],
    ["", "localhost:8080", "foreign_origin"],
    ["https://page.example", "localhost:8080", "fine"],
    ["http://page.example", "localhost:8080", "foreign_origin"],
  ])("%s at %s: %s", (origin, host, expected) => {
    const guarded = access({ cors: ["https://page.example"] });
    expect(codeOf(() => guarded.checkOrigin({ origin, host }))).toBe(expected);
  });

  test("pages elsewhere cannot post, whatever they call it", async () => {
    const { url } = await startInProcess();
    const body = { text: "A dog." };
    expect((await post(`${url}v1/parse`, body, { origin: url.slice(0, -1) })).status).toBe(200);
    for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1"]) {
      const { status, body: told } = await post(`${url}v1/parse`, body, { origin });
      expect([status, told.error.code]).toEqual([403, "foreign_origin"]);
    }
  });
});

describe("keys", () => {
  test("the right ones by either scheme, and no others", () => {
    const keys = new ApiKeys(KEYS);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    const names = KEYS.map((key) => keys.find(`Bearer ${key}`));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}$/);
    expect(keys.find(`bearer  ${KEYS[0]}`)).toBe(names[0]);
    expect(keys.find(basic(`anybody:${KEYS[1]}`))).toBe(names[1]);
    for (const wrong of [
      undefined,
      "",
      KEYS[0],
      "Bearer",
      `Bearer ${KEYS[0]}x`,
      `Bearer ${KEYS[0].slice(0, -1)}`,
      `Bearer ${KEYS[0]} ${KEYS[0]}`,
      `Digest ${KEYS[0]}`,
      basic(KEYS[0].slice(1)),
      basic("anybody:"),
    ]) {
      expect(keys.find(wrong)).toBe(undefined);
    }
    fc.assert(fc.property(fc.string(), (text) => keys.find(text) === undefined));
  });

  test("come from a file and the environment, and are checked", async () => {
    const file = join(folder, "keys");
    writeFileSync(file, `# ours\n${KEYS[0]}\n\n`);
    const both = await readApiKeys(file, KEYS[1]);
    expect(KEYS.map((key) => both?.find(`Bearer ${key}`))).not.toContain(undefined);
    expect(
      (await readApiKeys(undefined, `${KEYS[0]}, ${KEYS[1]}`))?.find(`Bearer ${KEYS[1]}`),
    ).toBe(both?.find(`Bearer ${KEYS[1]}`));
    expect(await readApiKeys(undefined, undefined)).toBe(undefined);
    writeFileSync(join(folder, "empty"), "# none\n");
    writeFileSync(join(folder, "short"), "too-short\n");
    for (const [name, message] of [
      ["none", "cannot be read (ENOENT)"],
      ["empty", "there is no key in it"],
      ["short", "key 1 is not 16 or more"],
    ]) {
      const { code, stderr } = await bracken(["serve", "--api-key-file", join(folder, `${name}`)]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${message}`)]);
      expect(stderr).not.toContain("too-short");
    }
  });

  test("a service with keys answers those who show one, and health checks", async () => {
    const file = join(folder, "own-keys");
    writeFileSync(file, KEYS.join("\n"));
    const service = await serve(model, "--api-key-file", file);
    const { url } = service;
    for (const path of ["", "v1/models", "metrics", "openapi.json", "nothing"]) {
      const { status, headers, body } = await get(`${url}${path}`);
      expect([status, body.error.code]).toEqual([401, "unauthorized"]);
      expect(headers.get("www-authenticate")).toMatch(/Bearer realm=.*, Basic realm=/);
    }
    for (const path of ["healthz", "readyz"]) expect((await get(url + path)).status).toBe(200);
    const parse = (authorization: string) =>
      post(`${url}v1/parse`, { text: "A dog." }, { authorization });
    expect((await parse("Bearer wrong-key-of-the-tests")).status).toBe(401);
    for (const key of KEYS) expect((await parse(`Bearer ${key}`)).status).toBe(200);
    await expect
      .poll(() => service.log().filter(({ key }) => typeof key === "string").length)
      .toBe(2);
    expect(JSON.stringify(service.log())).not.toContain("key-of-the-tests");
  });

  test("a browser of another origin may ask whether it may show a key", async () => {
    const { url } = await startInProcess({
      access: {
        ...{ host: "127.0.0.1", allowHosts: [], cors: ["https://page.example"] },
        keys: new ApiKeys(KEYS),
      },
    });
    const preflight = await get(`${url}v1/parse`, {
      method: "OPTIONS",
      headers: {
        origin: "https://page.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
  });
});

describe("limits of a client", () => {
  const retryAfter = (action: () => void) => {
    try {
      action();
      return 0;
    } catch (error) {
      expect((error as ServiceError).code).toBe("rate_limited");
      return Number((error as ServiceError).headers["retry-after"]);
    }
  };

  test("a minute's worth at once, then as time gives it back", () => {
    let now = 0;
    const limits = new ClientLimits({ words: 600 }, () => now);
    const ask = (words: number, client = "a") =>
      retryAfter(() => {
        limits.check(client, "words", words);
        limits.use(client, "words", words);
      });
    expect(ask(600)).toBe(0);
    expect(ask(10)).toBe(1);
    expect(ask(600, "b")).toBe(0);
    now += 1000;
    expect(ask(20)).toBe(1);
    expect(ask(10)).toBe(0);
    now += 30_000;
    expect(ask(301)).toBe(1);
    expect(ask(300)).toBe(0);
    // What is not used does not add up.
    now += 3_600_000;
    expect(ask(600)).toBe(0);
    expect(ask(600)).toBe(60);
    expect(retryAfter(() => limits.check("a", "requests", 1e9))).toBe(0);
  });

  test("never more than a minute's worth and what time gives, over any time", () => {
    const events = fc.array(fc.tuple(fc.nat({ max: 20_000 }), fc.integer({ min: 1, max: 100 })));
    fc.assert(
      fc.property(events, (list) => {
        let [now, taken] = [0, 0];
        const limits = new ClientLimits({ words: 100 }, () => now);
        for (const [wait, words] of list) {
          now += wait;
          if (retryAfter(() => limits.check("a", "words", words)) > 0) continue;
          limits.use("a", "words", words);
          taken += words;
          expect(taken).toBeLessThanOrEqual(100 + (100 * now) / 60_000 + 1e-6);
        }
      }),
    );
  });

  test("addresses: a network of IPv6 is one client", () => {
    expect(clientOfAddress("10.0.0.7")).toBe("10.0.0.7");
    expect(clientOfAddress("::ffff:10.0.0.7")).toBe("10.0.0.7");
    expect(clientOfAddress("2001:db8:0:1:2:3:4:5")).toBe("2001:db8:0:1::/64");
    expect(clientOfAddress("2001:0DB8::1")).toBe("2001:db8:0:0::/64");
    expect(clientOfAddress("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
    expect(clientOfAddress("::1")).toBe("0:0:0:0::/64");
  });

  /** Over a connection with its own address, as on a machine with several. */
  function from(address: string, service: Pick<Served, "port">, headers = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: service.port, localAddress: address, headers };
      request({ ...options, path: "/v1/models" }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });
  }

  test("by address, believing a proxy only where it is trusted", async () => {
    const service = await serve(model, "--client-requests", "2", "--trust-proxy", "127.0.0.2");
    const as = (client: string) => ({ "x-forwarded-for": client });
    const statuses = [];
    for (const name of ["a", "b", "c"]) {
      statuses.push(await from("127.0.0.1", service, as(`10.0.0.${name.charCodeAt(0)}`)));
    }
    expect(statuses).toEqual([200, 200, 429]);
    const proxied = [];
    for (const client of ["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.1", "10.0.0.2"]) {
      proxied.push(await from("127.0.0.2", service, as(`spoofed, ${client}`)));
    }
    expect(proxied).toEqual([200, 200, 200, 429, 200]);
    expect((await get(`${service.url}healthz`)).status).toBe(200);
    expect(service.log()).toContainEqual(expect.objectContaining({ address: "10.0.0.2" }));
  });

  test("words count once they are parsed, by key", async () => {
    const { url } = await startInProcess({
      rates: { words: 10 },
      access: { host: "127.0.0.1", allowHosts: [], cors: [], keys: new ApiKeys(KEYS) },
    });
    const ask = (key: string, words: number) =>
      post(
        `${url}v1/parse`,
        { tokens: Array(words).fill("dog") },
        { authorization: `Bearer ${key}` },
      );
    expect((await ask(KEYS[0], 10)).status).toBe(200);
    const refused = await ask(KEYS[0], 5);
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(KEYS[1], 5)).status).toBe(200);
  });
});
