/** Two services behind a balancer, with the configurations in examples/balancer: one is killed under load, one drains. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { freePort } from "../plans/redis.js";
import { temporaryFolder } from "../temporary.js";
import { post, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
let model: string;
let balancer: ChildProcess | undefined;

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

afterEach(async () => {
  const child = balancer;
  balancer = undefined;
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
});

/** The example, but for its addresses. */
function example(
  name: string,
  listen: readonly [string, string],
  ports: readonly number[],
): string {
  let text = readFileSync(join(ROOT, "examples/balancer", name), "utf8");
  const changes: (readonly [string, string])[] = [
    listen,
    ["10.0.0.11:8080 ", `127.0.0.1:${ports[0]} `],
    ["10.0.0.12:8080 ", `127.0.0.1:${ports[1]} `],
  ];
  for (const [from, to] of changes) {
    const isThere = text.includes(from) || text.includes(`${from.trim()}\n`);
    expect([from, isThere]).toEqual([from, true]);
    const lines = text
      .split("\n")
      .map((line) => (/^\s*#/.test(line) ? line : `${line} `.replace(from, to).trimEnd()));
    text = lines.join("\n");
  }
  return text;
}

function startNginx(port: number, ports: readonly number[]): ChildProcess {
  writeFileSync(
    join(folder, "site.conf"),
    example("nginx.conf", ["listen 80;", `listen 127.0.0.1:${port};`], ports),
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const whole = `daemon off; pid ${join(folder, "pid")}; error_log /dev/null; worker_processes 1;
    events {} http { access_log off; ${temporary.join(" ")} include ${join(folder, "site.conf")}; }`;
  writeFileSync(join(folder, "nginx.conf"), whole);
  return spawn("/usr/sbin/nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: "ignore",
  });
}

function startHaproxy(port: number, ports: readonly number[]): ChildProcess {
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    example("haproxy.cfg", ["bind 0.0.0.0:80 ", `bind 127.0.0.1:${port} `], ports),
  );
  return spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
}

const BALANCERS = [
  { name: "nginx", isThere: existsSync("/usr/sbin/nginx"), start: startNginx },
  { name: "HAProxy", isThere: spawnSync("haproxy", ["-v"]).status === 0, start: startHaproxy },
];

const WORK = { text: "The old man sat by the door. A dog ran. ".repeat(20) };

describe.each(BALANCERS)("behind $name", { timeout: 180_000 }, ({ name, isThere, start }) => {
  if (!isThere)
    console.warn(`SKIPPED: "behind ${name}" needs it: apt-get install ${name.toLowerCase()}`);

  const service = () => serve(model, "--allow-host", "parse.internal", "--drain-delay", "2");

  async function balanced(): Promise<{ services: Served[]; url: string }> {
    const services = [await service(), await service()];
    const port = await freePort();
    balancer = start(
      port,
      services.map((each) => each.port),
    );
    const url = `http://127.0.0.1:${port}/v1/parse`;
    const isUp = async () => (await post(url, { text: "A dog." }).catch(() => undefined))?.status;
    await expect.poll(isUp).toBe(200);
    return { services, url };
  }

  test.skipIf(!isThere)(
    "one killed with -9 under load, or draining, loses no request",
    async () => {
      const { services, url } = await balanced();
      let isOver = false;
      const answers: (number | string)[] = [];
      const client = async () => {
        while (!isOver) {
          const answer = await post(url, WORK).catch((error: Error) => error.message);
          answers.push(typeof answer === "string" ? answer : answer.status);
        }
      };
      const clients = Array.from({ length: 6 }, client);
      const more = async (count: number) => {
        const before = answers.length;
        await expect.poll(() => answers.length).toBeGreaterThan(before + count);
      };
      await more(20);
      services[0]?.child.kill("SIGKILL");
      await more(20);
      isOver = true;
      await Promise.all(clients);
      expect(answers.filter((status) => status !== 200)).toEqual([]);
      // The one that is left drains: what it accepted is answered, and it ends well.
      const last = [post(url, WORK), post(url, WORK)];
      services[1]?.child.kill("SIGTERM");
      expect((await Promise.all(last)).map(({ status }) => status)).toEqual([200, 200]);
      expect(await services[1]?.exited).toBe(0);
    },
  );
});
