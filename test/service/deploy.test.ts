/** What deploy/ holds fits the service: its settings exist, and the container's health check works. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { build } from "../../src/cli/serve.js";
import { ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { type Served, serve } from "./serving.js";

const folder = temporaryFolder();
const FILES = ["Containerfile", "bracken.service", "nginx.conf"];
const read = (name: string) => readFileSync(join(ROOT, "deploy", name), "utf8");
let service: Served;

beforeAll(async () => {
  service = await serve(await writeTinyModel(folder));
});

test.each(FILES)("%s names settings that there are", (name) => {
  const command = new Command("serve");
  build(command);
  const flags = command.options.map(({ long }) => long);
  const variables = flags.map((flag) => `BRACKEN_${flag?.slice(2).toUpperCase()}`);
  const known = ["BRACKEN_API_KEY", ...variables.map((each) => each.replaceAll("-", "_"))];
  const text = read(name);
  for (const [variable] of text.matchAll(/BRACKEN_[A-Z_]+/g)) expect(known).toContain(variable);
  const commands = text.matchAll(/bracken serve(.*)$/gm);
  for (const [, rest = ""] of commands) {
    for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(flags).toContain(flag);
  }
});

test("the container's health check tells a living service from none", async () => {
  const [, list = ""] =
    /HEALTHCHECK(?:[^\n]*\\\n)+\s*CMD (\[.*\])/.exec(read("Containerfile")) ?? [];
  const [command, ...args] = JSON.parse(list) as string[];
  expect(command).toBe("node");
  const check = (port: number) =>
    new Promise((resolve) => {
      const env = { ...process.env, BRACKEN_PORT: `${port}` };
      spawn(process.execPath, args, { env }).once("close", resolve);
    });
  expect(await check(service.port)).toBe(0);
  expect(await check(1)).toBe(1);
});

test("the container is not root's, and copies what there is", () => {
  const text = read("Containerfile");
  const users = Array.from(text.matchAll(/^USER (.*)$/gm), ([, user]) => user);
  expect(users).toEqual(["node"]);
  expect(text.indexOf("\nUSER ")).toBeLessThan(text.indexOf("\nENTRYPOINT "));
  expect(existsSync(join(ROOT, "package-lock.json"))).toBe(true);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasSystemd) console.warn('SKIPPED: "the systemd unit is sandboxed" needs systemd-analyze');

test.skipIf(!hasSystemd)("the systemd unit is sandboxed", () => {
  const { stdout } = spawnSync(
    "systemd-analyze",
    ["security", "--offline=true", join(ROOT, "deploy/bracken.service")],
    { encoding: "utf8" },
  );
  // From 0, which may do nothing, to 10; 9.6 without the lines.
  const exposure = Number(
    /Overall exposure level for bracken\.service: ([\d.]+)/.exec(stdout)?.[1],
  );
  expect(exposure).toBeLessThan(2);
});
