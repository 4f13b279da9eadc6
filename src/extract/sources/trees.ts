/**
 * Gold trees, as Bracketings that say everything: each phrase is a bracket with its label, and every other span is no
 * phrase. They are read only by name, never recognised: nobody should learn from a treebank without meaning to.
 */

import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import type { TextInput } from "../../files/text-input.js";
import { readFileEntries, TREEBANK_EXTENSIONS } from "../../treebanks/read-treebank.js";
import { CHAIN, category, INDUCED, NO_PHRASE, unescapeToken } from "../../trees/labels.js";
import { isMissing } from "../../trees/penn-reader.js";
import { isWrapper } from "../../trees/transform.js";
import { constituents, type Tree, words } from "../../trees/tree.js";
import type { AnswerSource, SourceContext } from "./source.js";

/** The kind of a bracket that is a phrase of a gold tree. */
const KIND = "tree";

export const trees: AnswerSource = {
  name: "trees",
  summary: "gold trees: Penn brackets, JSON lines, CoNLL-U with trees; auto does not read them",
  extensions: TREEBANK_EXTENSIONS,
  recognises: () => false,
  read: async function* (inputs, context) {
    for (const input of inputs) yield* readTrees(input, context);
  },
};

async function* readTrees(input: TextInput, context: SourceContext): AsyncGenerator<RawSentence> {
  const stem = input.name.split("/").at(-1)?.split(".")[0] ?? "";
  const onMissing = ({ problem }: { problem: Error }) => {
    context.attempt(() => {
      throw problem;
    });
  };
  let number = 0;
  for await (const entry of readFileEntries(input, { onMissing })) {
    if (isMissing(entry)) {
      if (entry.reason !== "stray") number += 1;
      continue;
    }
    number += 1;
    yield {
      tokens: words(entry.tree).map(unescapeToken),
      source: "trees",
      id: `${stem}:${number}`,
      brackets: treeBrackets(entry.tree),
      complete: true,
    };
  }
}

/** Phrases over the same words are one bracket, whose label is their chain. */
function treeBrackets(tree: Tree): RawBracket[] {
  const chains = new Map<string, { begin: number; end: number; labels: string[] }>();
  for (const { begin, end, label } of constituents(tree)) {
    if (isWrapper(label)) continue;
    const key = `${begin},${end}`;
    const chain = chains.get(key) ?? { begin, end, labels: [] };
    chains.set(key, chain);
    chain.labels.unshift(category(label));
  }
  return Array.from(chains.values(), ({ begin, end, labels }) => {
    return {
      begin,
      end,
      kind: KIND,
      weight: 1,
      ...(labels.every(isName) ? { labels: { [labels.join(CHAIN)]: 1 } } : {}),
    };
  });
}

/** A model's labels can be written in Penn brackets. */
function isName(label: string): boolean {
  return label !== INDUCED && label !== NO_PHRASE && /^[^\s()]+$/.test(label);
}
