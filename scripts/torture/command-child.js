// Runs the commands that it is sent, one after the other, as the command line would, and answers with the
// exit code each would have; anything that the command line would call an internal error is a problem.

import { Command, CommanderError } from "commander";
import { COMMANDS } from "../../dist/cli/commands.js";
import { InputError, WorkFailure } from "../../dist/errors.js";

async function run([name, ...args]) {
  const entry = COMMANDS.find((each) => each.name === name);
  const command = new Command(name)
    .exitOverride()
    .configureOutput({ writeErr() {}, writeOut() {} });
  (await entry.load()).build(command);
  process.exitCode = 0;
  try {
    await command.parseAsync(args, { from: "user" });
    return { code: process.exitCode };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2 };
    if (error instanceof InputError) return { code: 2 };
    if (error instanceof WorkFailure) return { code: 1 };
    return { problem: String(error?.stack ?? error), isAlive: true };
  }
}

process.on("message", async (args) => process.send(await run(args)));
