/** Real processes in a folder of somebody else's: npm, other versions of Node, servers. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly cwd: string;
  /** The Node that runs it; this process's own unless given. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a script, and gives what it printed when it has ended. */
export async function run(args: readonly string[], place: Place): Promise<Outcome> {
  const { child, output } = start(args, place);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

/** Starts a server, and gives the address that is the first thing it prints. */
export async function serve(args: readonly string[], place: Place) {
  const { child, output } = start(args, place);
  const closed = once(child, "close");
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const [found] = /http:\/\/\S+/.exec(output.stdout) ?? [];
      if (found) resolve(found);
    });
    closed.then(() => reject(new Error(`${args[0]} ended: ${output.stderr}`)));
  });
  return {
    address,
    /** Its exit code after SIGTERM. */
    stop: async (): Promise<number | null> => {
      child.kill("SIGTERM");
      return ((await closed) as [number | null])[0];
    },
  };
}

function start(args: readonly string[], { cwd, node = process.execPath, env }: Place) {
  const child = spawn(node, args, { cwd, env: { ...cleanEnvironment(), ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output.stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    output.stderr += chunk;
  });
  return { child, output };
}

/** `npm test` hands this project's configuration on to whatever it runs; a stranger's npm has none of it. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const keep = /^npm_config_(registry|cache|userconfig|globalconfig|prefix|cafile|.*proxy)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        (!/^npm_/i.test(name) && !/^(VITEST|NODE_ENV|NODE_OPTIONS)/.test(name)) || keep.test(name),
    ),
  );
}

/** npm itself, without complaints about what the machine's own user has configured. */
export async function npm(args: readonly string[], place: Place): Promise<Outcome> {
  const { stderr, ...outcome } = await run([npmScript(), ...args], place);
  const lines = stderr.split("\n").filter((line) => !/Unknown (user|env|global) config/.test(line));
  return { ...outcome, stderr: lines.join("\n") };
}

let script: string | undefined;

function npmScript(): string {
  script ??= join(
    execFileSync("npm", ["root", "--global"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim(),
    "npm/bin/npm-cli.js",
  );
  return script;
}
