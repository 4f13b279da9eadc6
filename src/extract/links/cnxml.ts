/**
 * CNXML, the markup of OpenStax's textbooks, as text with marks. Authors mark the terms that a chapter
 * introduces, as well as links and emphasis.
 */

import { type BlockKind, type MarkedText, MarkedTextBuilder } from "./marked.js";
import {
  type Attributes,
  appendMarkup,
  type Dialect,
  type ElementRole,
  type MarkMeaning,
} from "./markup-reader.js";

const SKIPPED = new Set(
  `metadata media table equation footnote glossary iframe code preformat label image colspec`.split(
    " ",
  ),
);
/** What they show is part of the sentence, and not to be had as text. */
const HOLES = new Set(["math", "m:math", "sup"]);
const BREAKS = new Set(
  `document content section para note quote list example exercise problem solution figure subfigure
    newline definition commentary statement proof rule div`.split(/\s+/),
);
const BLOCKS = new Map<string, BlockKind>([
  ["title", "heading"],
  ["item", "list"],
  ["meaning", "list"],
  ["caption", "caption"],
]);
/**
 * What is not running text: sources and further reading, exercises that consist of choices and gaps,
 * learning objectives, codes of school standards; prefaces, which are the same in many books; appendices,
 * most of which are glossaries, keys and tables.
 */
const SKIPPED_CLASSES = new RegExp(
  `(?:^|\\s)(?:${[
    "references?|further-(?:research|reading|exploration)|suggested-readings?|hot-links|working-net",
    "multiple-choice|fill-in-the-blank|matching|true-false|(?:section|chapter)-quiz|ost-get-exercise",
    "learning-(?:objectives|outcomes)|ost-standards-\\w+|os-teacher",
    "preface|appendix",
  ].join("|")})(?:\\s|$)`,
);

export function readCnxml(source: string): MarkedText {
  const builder = new MarkedTextBuilder();
  appendMarkup(source, builder, "prose", CNXML);
  return builder.finish();
}

const CNXML: Dialect = {
  isXml: true,
  role: roleOf,
  mark: markOf,
  isFilled: (name) => name === "link",
};

function roleOf(name: string, attributes: Attributes): ElementRole {
  if (SKIPPED.has(name) || SKIPPED_CLASSES.test(attributes.class ?? "")) return "skipped";
  if (HOLES.has(name)) return "hole";
  return BLOCKS.get(name) ?? (BREAKS.has(name) ? "break" : undefined);
}

function markOf(name: string, attributes: Attributes): MarkMeaning | undefined {
  if (name === "term") return { kind: "term" };
  if (name === "emphasis") {
    return { kind: attributes.effect?.startsWith("bold") ? "bold" : "emphasis" };
  }
  if (name !== "link") return undefined;
  return { kind: "link", target: attributes.url ?? attributes.document ?? attributes["target-id"] };
}
