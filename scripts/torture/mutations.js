// Inputs of every reader, altered at random. Each is given to the command, which must end with 0, 1 or 2,
// without a stack trace, within ten seconds. A child process runs many commands one after the other,
// since starting one for each would take hours. Requests go to a service, which must stay as it is.

import { fork } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeManifest } from "../../dist/model/save.js";
import { mutate } from "./mutate.js";
import { Service } from "./requests.js";
import { seeds } from "./seeds.js";
import { writeTiny } from "./tiny.js";

const LIMIT_MS = 10_000;

export async function mutations(count, random, folder) {
  mkdirSync(folder, { recursive: true });
  const { model } = await writeTiny(folder);
  const child = new Runner();
  const service = await Service.start(model);
  const all = [
    ...seeds(model).map((seed) => ({
      name: seed.name,
      run: async () => child.run(seed.args(await writeAltered(seed, folder, random))),
    })),
    { name: "http", run: () => service.ask(random) },
  ];
  const counts = {};
  const failures = [];
  for (let done = 0; done < count; done++) {
    const { name, run } = all[done % all.length];
    const { code, problem } = await run();
    if (problem) failures.push({ input: name, number: done, problem });
    counts[name] ??= {};
    if (!problem) counts[name][code] = (counts[name][code] ?? 0) + 1;
  }
  child.stop();
  const problem = await service.stop();
  if (problem) failures.push({ input: "http", problem });
  return { counts, failures };
}

async function writeAltered(seed, folder, random) {
  if (seed.folder) return mutateFolder(seed.folder, folder, random);
  const path = join(folder, `in.${seed.ending}`);
  writeFileSync(path, mutate(seed.bytes, random));
  return path;
}

/** A copy of the model in which one file is altered; half of the time the manifest is made to match. */
async function mutateFolder(model, folder, random) {
  const copy = join(folder, "altered");
  rmSync(copy, { recursive: true, force: true });
  cpSync(model, copy, { recursive: true });
  const names = readdirSync(copy);
  const name = names[random.below(names.length)];
  writeFileSync(join(copy, name), mutate(readFileSync(join(copy, name)), random));
  if (random.coin() && name !== "manifest.json") await writeManifest(copy);
  return copy;
}

/** Runs commands in a child process, which is started anew if it dies or does not answer in time. */
class Runner {
  #child;

  async run(args) {
    this.#child ??= fork(fileURLToPath(new URL("./command-child.js", import.meta.url)), {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const child = this.#child;
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(
        () => resolve({ problem: `no end in ${LIMIT_MS / 1000} s` }),
        LIMIT_MS,
      );
      const settle = (found) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(found);
      };
      child.once("message", settle);
      child.once("exit", (code, signal) =>
        settle({ problem: `the process died: ${code ?? signal}` }),
      );
      child.send(args);
    });
    if (answer.problem && !answer.isAlive) this.stop();
    return answer;
  }

  stop() {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}
