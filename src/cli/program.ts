/**
 * The command line: finds the command, runs it, and sets the exit code. 0: done. 1: the work failed. 2: bad usage
 * or bad input, with a message that says what to do.
 */

import { Command, CommanderError } from "commander";
import { InputError, WorkFailure } from "../errors.js";
import { uncaughtFailure } from "../files/failure.js";
import { packageVersion } from "../version.js";
import { COMMANDS } from "./commands.js";
import { styleError } from "./style.js";

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("bracken")
    .description(
      "Finds the phrases of sentences: a constituency parser that learns from the brackets people leave in text.",
    )
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .commandsGroup("Help:")
    .helpCommand("help [command]", "show the help of a command")
    .showHelpAfterError("(bracken --help lists the commands)")
    .exitOverride();
  const wanted = argv.find((argument) => !argument.startsWith("-") && argument !== "help");
  for (const { name, group, summary, load } of COMMANDS) {
    const command = program
      .command(name)
      .summary(summary)
      .description(`${capitalise(summary)}.`)
      .helpGroup(`${group}:`);
    command
      .helpOption("-h, --help", "show this help")
      .showHelpAfterError(`(bracken ${name} --help)`);
    if (name === wanted) (await load()).build(command);
  }
  program.addHelpText(
    "after",
    `\nExamples:\n${COMMANDS.map(({ example }) => `  ${example}`).join("\n")}`,
  );
  if (argv.length === 0) program.help({ error: true });
  await program.parseAsync(argv as string[], { from: "user" });
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Reports an error and returns its exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isBrokenPipe(error)) return 0;
  if (error instanceof InputError || error instanceof WorkFailure) {
    process.stderr.write(`${styleError("error:")} ${error.message}\n`);
    if (error.remedy) process.stderr.write(`       ${error.remedy}\n`);
    return error instanceof InputError ? 2 : 1;
  }
  const failure = uncaughtFailure(error);
  if (failure) return report(failure);
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${styleError("internal error:")} ${shown}\n`);
  return 1;
}

function isBrokenPipe(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "EPIPE";
}

// `bracken … | head` closes the pipe early. That is not a failure, and nothing more can be written.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => process.exit(report(error)));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
