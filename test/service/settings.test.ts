/** Settings by flags and by the environment, and those that cannot be. */

import { beforeAll, describe, expect, test } from "vitest";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, post, raw, serve, serveWith } from "./serving.js";

const folder = temporaryFolder();
const KEYS = ["first-key-of-the-tests", "second-key-of-the-tests"] as const;
let model = "";
beforeAll(async () => {
  model = await writeTinyModel(folder);
});

describe("the environment", () => {
  test("sets what flags set, and flags go before it", async () => {
    const service = await serveWith(
      {
        BRACKEN_PORT: "0",
        BRACKEN_THREADS: "1",
        BRACKEN_MODEL: model,
        BRACKEN_MAX_SENTENCES: "2",
        BRACKEN_MAX_TOKENS: "",
        BRACKEN_ALLOW_HOST: "one.example, two.example",
        BRACKEN_API_KEY: KEYS.join(","),
        BRACKEN_QUIET: "0",
      },
      "--max-sentences",
      "3",
    );
    const { url } = service;
    const headers = { authorization: `Bearer ${KEYS[1]}` };
    expect((await post(`${url}v1/parse`, { lines: ["a", "b", "c"] }, headers)).status).toBe(200);
    expect((await post(`${url}v1/parse`, { lines: Array(4).fill("a") }, headers)).status).toBe(413);
    expect((await get(`${url}v1/models`)).status).toBe(401);
    const named = await raw(
      service.port,
      "GET /readyz HTTP/1.1\r\nhost: two.example\r\nconnection: close\r\n\r\n",
    );
    expect(named).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(() => service.log().length).toBeGreaterThan(2);
    const quiet = await serveWith(
      { BRACKEN_QUIET: "yes" },
      ...["--port", "0", "--threads", "1", "--model", model],
    );
    await get(`${quiet.url}healthz`);
    expect(quiet.log()).toEqual([]);
  });

  test.each([
    [{ BRACKEN_PORT: "99999" }, "from env 'BRACKEN_PORT' is invalid"],
    [{ BRACKEN_PORT: "99999" }, "a whole number from 0 to 65535"],
    [{ BRACKEN_QUIET: "perhaps" }, "BRACKEN_QUIET"],
    [{ BRACKEN_API_KEY: "short" }, "16 or more"],
    [{ BRACKEN_PRECISION: "fp8" }, "BRACKEN_PRECISION"],
  ])("%j is refused", async (env, message) => {
    const { code, stderr } = await bracken(["serve"], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain("    at ");
  });

  test("a service that everybody can reach without a key says so", async () => {
    const open = await serve(model, "--host", "0.0.0.0");
    await expect.poll(() => open.log().filter(({ level }) => level === "warn").length).toBe(1);
    expect(JSON.stringify(open.log())).toContain("--api-key-file");
  });
});

describe("values that cannot be", () => {
  test.each([
    [["--port", "99999"], "from 0 to 65535"],
    [["--port", "-1"], "from 0 to 65535"],
    [["--timeout", "2147484"], "from 1 to 86400"],
    [["--timeout", "0"], "from 1 to 86400"],
    [["--max-words", "1000000"], "from 1 to 5000"],
    [["--drain", "1e9"], "from 0 to 86400"],
    [["--threads", "100000"], "It must be a whole number"],
    [["--cors", "page.example"], "https://page.example.org"],
    [["--cors", "https://page.example/"], "https://page.example.org"],
    [["--allow-host", "http://page.example"], "without scheme and port"],
    [["--trust-proxy", "everybody"], "10.0.0.0/8"],
    [["--trust-proxy", "10.0.0.0/33"], "10.0.0.0/8"],
    [["--client-words", "10"], "--client-words"],
    [["--max-body", "1g"], "up to 256m"],
  ])("%j", async (args, message) => {
    const { code, stderr } = await bracken(["serve", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain("    at ");
  });
});
