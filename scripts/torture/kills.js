// Processes killed with SIGKILL at random moments and started again until they are done. What they leave
// must be the same to the byte as what an undisturbed run leaves.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WORDS, writeTiny } from "./tiny.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** More kills of one run than this, and it does not get any further. */
const MOST_KILLS = 30;

function start(args) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

function hashOf(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function sentence(index) {
  return Array.from({ length: 3 + (index % 11) }, (_, at) => WORDS[(index * (at + 3)) % 13]);
}

/** The commands, each with what it reads and the file that must come out the same. */
async function commands(folder) {
  const { encoder, model } = await writeTiny(folder);
  const file = (name, lines) => {
    writeFileSync(join(folder, name), lines.join(""));
    return join(folder, name);
  };
  const many = (count, line) => Array.from({ length: count }, (_, index) => line(index));
  const text = file(
    "text.txt",
    many(30_000, (index) => `${sentence(index).join(" ")}\n`),
  );
  const data = file(
    "data.jsonl",
    many(6_000, (index) => {
      const record = { tokens: sentence(index), brackets: [[0, 2]], source: "s", id: `${index}` };
      return `${JSON.stringify(record)}\n`;
    }),
  );
  const pages = many(1_500, (index) => {
    const link = `[[Page ${index}|${sentence(index).slice(0, 3).join(" ")}]]`;
    const prose = `${link} ${sentence(index + 1).join(" ")}. `.repeat(20);
    return `<page><title>P${index}</title><ns>0</ns><id>${index + 1}</id><revision><text>${prose}</text></revision></page>\n`;
  });
  const dump = file("dump.xml", ["<mediawiki>\n", ...pages, "</mediawiki>\n"]);
  const small = [
    "--encoder",
    encoder,
    "--steps",
    "120",
    "--checkpoint-every",
    "10",
    "--threads",
    "1",
  ];
  return [
    { name: "parse", args: ["parse", "--tokens", text, "-m", model, "--threads", "2"] },
    {
      name: "phrases",
      args: ["phrases", "--tokens", text, "--label", "NP,VP", "-m", model, "--threads", "2"],
    },
    { name: "distil", args: ["distil", data, "-m", model, "--threads", "1"] },
    { name: "extract", args: ["extract", "wikipedia", dump, "--threads", "2"] },
    { name: "train", args: ["train", data, ...small], result: "model.safetensors" },
  ];
}

export async function kills(count, random, folder) {
  mkdirSync(folder, { recursive: true });
  const all = await commands(folder);
  for (const command of all) {
    const out = join(folder, `${command.name}-whole`);
    const began = Date.now();
    const { code, stderr } = await start([...command.args, "-o", out]).ended;
    if (code !== 0) throw new Error(`${command.name} fails undisturbed: ${stderr}`);
    command.ms = Date.now() - began;
    command.expected = hashOf(command.result ? join(out, command.result) : out);
  }
  const counts = Object.fromEntries(all.map(({ name }) => [name, { kills: 0, runs: 0 }]));
  const failures = [];
  for (let done = 0, run = 0; done < count; run++) {
    const command = all[run % all.length];
    const out = join(folder, `${command.name}-${run}`);
    const { killed, problem } = await killAndFinish(command, out, random);
    done += killed;
    counts[command.name].kills += killed;
    counts[command.name].runs += 1;
    if (problem) failures.push({ command: command.name, run, problem });
    const left = readdirSync(folder).filter((name) => name.startsWith(`${command.name}-${run}.`));
    if (left.length > 0) failures.push({ command: command.name, run, problem: `left ${left}` });
    rmSync(out, { recursive: true, force: true });
  }
  return { counts, failures };
}

async function killAndFinish({ args, ms, expected, result }, out, random) {
  let killed = 0;
  const wanted = 1 + random.below(4);
  while (killed < Math.min(wanted, MOST_KILLS)) {
    const { child, ended } = start([...args, "-o", out]);
    await Promise.race([ended, sleep(random.below(Math.round(ms * 1.1)))]);
    const isOver = child.exitCode !== null;
    child.kill("SIGKILL");
    const { code, stderr } = await ended;
    if (isOver && code !== 0) return { killed, problem: `exit ${code}: ${stderr}` };
    if (isOver) break;
    killed += 1;
  }
  const { code, signal, stderr } = await start([...args, "-o", out]).ended;
  if (code !== 0) return { killed, problem: `exit ${code ?? signal} after kills: ${stderr}` };
  const found = hashOf(result ? join(out, result) : out);
  return { killed, problem: found === expected ? undefined : "other bytes than undisturbed" };
}
