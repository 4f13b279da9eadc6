/** Turns wikitext into text with marks, in stages that each remove what the next need not know. */

import { HOLE, type MarkedText, MarkedTextBuilder } from "../marked.js";
import { removeExtensions } from "./extensions.js";
import { appendInline } from "./inline.js";
import { LinkNames } from "./names.js";
import { removeNesting } from "./nesting.js";

export { LinkNames } from "./names.js";

const HEADING = /^(={1,6})(.+?)\1\s*$/;
const LIST = /^[*#:;]+\s*/;
const BREAK =
  /<\/?(?:br|p|div|center|blockquote|poem|ul|ol|li|dl|dd|dt|hr|h[1-6]|tr|td|th|tbody|caption)(?:\s[^<>]*)?\/?>/gi;
const NOTHING = new RegExp(`^[\\s${HOLE}]*$`);

export function readWikitext(source: string, names: LinkNames = new LinkNames()): MarkedText {
  const cleaned = removeNesting(removeExtensions(source), names).replace(BREAK, "\n\n");
  const builder = new MarkedTextBuilder();
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) {
      builder.begin("prose");
      appendInline(paragraph.join("\n"), builder, names);
    }
    paragraph = [];
  };
  for (const line of cleaned.split(/\r?\n/)) {
    const heading = line.startsWith("=") ? HEADING.exec(line) : null;
    const list = heading ? null : LIST.exec(line);
    if (heading || list || NOTHING.test(line) || line.startsWith("----")) end();
    if (heading) {
      builder.begin("heading");
      appendInline(heading[2] as string, builder, names);
    } else if (list) {
      builder.begin("list");
      appendInline(line.slice(list[0].length), builder, names);
    } else if (!NOTHING.test(line) && !line.startsWith("----") && !isPreformatted(line)) {
      paragraph.push(line);
    }
  }
  end();
  return builder.finish();
}

/** A line that begins with a blank is shown as it stands, as code is. */
function isPreformatted(line: string): boolean {
  return line.startsWith(" ");
}
