/** `bracken annotate`: asks a person in the terminal whether spans are phrases, and learns from the answers. */

import { userInfo } from "node:os";
import type { Command } from "commander";
import { AnnotationSession, type AnnotationState, learnFolder } from "../annotate/session.js";
import { type AnnotationFlags, annotationOptions } from "./annotation-options.js";
import { Dialogue } from "./dialogue.js";
import { examples, threadsOption } from "./options.js";
import { onEndingSignal } from "./signals.js";

interface Options extends AnnotationFlags {
  readonly out: string;
  readonly by?: string;
  readonly from: string;
  readonly threads?: number;
}

export function build(command: Command): void {
  command
    .argument(
      "<documents...>",
      "Markdown, HTML, wikitext, dumps of wikis, plain text or Bracketings: files, folders or patterns",
    )
    .requiredOption("-o, --out <file>", "file of the answers; new ones are added to those in it")
    .option("--by <name>", "name of the person who answers (default: your user name)")
    .option("--from <model>", "model to start from: bundled, or a folder", "bracken-en");
  for (const option of annotationOptions()) command.addOption(option);
  command
    .addOption(threadsOption())
    .addHelpText("after", KEYS)
    .addHelpText(
      "after",
      examples(
        "bracken annotate docs/ -o my.jsonl",
        "bracken annotate report.txt --learn-every 0 -o my.jsonl",
        "bracken adapt docs/ my.jsonl --out models/mine",
      ),
    )
    .action(run);
}

const KEYS = `
Keys:
  y           yes, the words in brackets are a phrase
  n           no
  s           skip
  ← → ↓ ↑     mark other words: ← → move the first one, ↓ ↑ the last one
  Enter       no, but the words that are marked now are a phrase
  u           undo the last answer
  q, Ctrl-C   quit; the same command continues`;

async function run(documents: string[], options: Options): Promise<void> {
  const { out, by = userName(), learnIn = learnFolder(out), ...others } = options;
  let dialogue: Dialogue | undefined;
  const session = await AnnotationSession.open({
    ...{ ...others, corpus: documents, log: out, learnIn },
    onChange: () => dialogue?.update(),
  });
  const signals = onEndingSignal(() => dialogue?.close());
  let state: AnnotationState;
  try {
    dialogue = new Dialogue(session, by);
    await dialogue.run();
    state = session.state();
  } finally {
    signals.release();
    await session.close();
  }
  process.stderr.write(`${farewell(state, out, learnIn)}\n`);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "me";
  }
}

function farewell(state: AnnotationState, out: string, learnIn: string): string {
  const { learning, heldBack, skipped, curve, current, agreement } = state;
  const lines = [`${out}: ${learning + heldBack} answers, ${skipped} skipped`];
  const { questions, share, kappa } = agreement;
  if (share !== undefined) {
    const beyond = kappa === undefined ? "" : `, kappa ${kappa.toFixed(2)}`;
    lines.push(
      `agreement on ${questions} questions asked twice: ${Math.round(100 * share)} %${beyond}`,
    );
  }
  if (current) lines.push("a lesson was stopped; the same command continues it");
  if (curve.some(({ answers, isUsed }) => answers > 0 && isUsed)) {
    lines.push(`the model that learnt from them: ${learnIn}/model`);
  }
  return lines.join("\n");
}
