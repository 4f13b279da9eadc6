/** The reference of the command line, a page for each command, made from the table of commands and their options. */

import { Command } from "commander";
import { COMMANDS } from "../dist/cli/commands.js";
import { write } from "./stage.js";

/** A command as `bracken NAME --help` knows it. */
async function load({ name, summary, load: loadModule }) {
  const command = new Command(name).description(`${summary[0].toUpperCase()}${summary.slice(1)}.`);
  (await loadModule()).build(command);
  command.name(`bracken ${name}`);
  return command;
}

export async function stageCommands(folder) {
  const groups = new Map();
  for (const entry of COMMANDS) {
    const { name, group, summary } = entry;
    const text = `# bracken ${name}\n\n${describe(await load(entry), 2)}`;
    write(folder, `reference/cli/${name}.md`, text);
    const row = [`[\`bracken ${name}\`](./${name}.md)`, escapeText(summary)];
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const tables = Array.from(
    groups,
    ([group, rows]) => `## ${group}\n\n${table(["command", "what it does"], rows)}`,
  );
  write(folder, "reference/cli/index.md", `${INTRODUCTION}${tables.join("")}`);
}

const INTRODUCTION = `# Command line

These pages are made from the same table as \`bracken --help\`.

A command ends with exit code 0 when it is done, 1 if the work failed, and 2 if the input or an option is wrong. The error
message then says what to do.

`;

/** Usage, arguments, options, further help and inner commands. */
function describe(command, level) {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
  const inner = help.visibleCommands(command).filter((each) => each.name() !== "help");
  const heading = "#".repeat(level);
  const part = (title, text) => (text ? `${heading} ${title}\n\n${text}\n` : "");
  const rows = (list, term, text) =>
    list.map((each) => [`\`${term(each)}\``, escapeText(text(each))]);
  return [
    `${escapeText(command.description())}\n\n`,
    fence("sh", help.commandUsage(command).replace(/\[options\] \[command\]$/, "COMMAND")),
    part(
      "Arguments",
      table(
        ["argument", "meaning"],
        rows(command.registeredArguments, help.argumentTerm, (each) =>
          help.argumentDescription(each),
        ),
      ),
    ),
    part(
      "Options",
      table(
        ["option", "meaning"],
        rows(options, help.optionTerm, (each) => help.optionDescription(each)),
      ),
    ),
    ...inner.map((each) => innerCommand(each, command, level)),
    part("Details and examples", furtherHelp(command)),
  ].join("");
}

function innerCommand(command, parent, level) {
  const name = `${parent.name()} ${command.name()}`;
  const text = describe(command, level + 1);
  return `${"#".repeat(level)} ${name}\n\n${text}`;
}

/** What a command adds to its help, such as examples. */
function furtherHelp(command) {
  let shown = "";
  command.configureOutput({ writeOut: (text) => (shown += text), getOutHelpWidth: () => 100 });
  command.outputHelp();
  const added = shown.slice(command.helpInformation().length).trim();
  return added && fence("text", added);
}

function fence(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\`\n\n`;
}

export function table(head, rows) {
  if (rows.length === 0) return "";
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return `${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}\n`;
}

/** Text that Markdown and the site's templates take as text. */
export function escapeText(text) {
  return text.replace(/[<>*_[\]{}\\`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
