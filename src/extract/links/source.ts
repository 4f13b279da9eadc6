/**
 * What the sources of links have in common: all read documents, and differ in how a document is
 * stored and which of its blocks hold sentences. `read` gives their sentences one by one, as other
 * sources do; `bracken extract` takes the way over threads and shards instead.
 */

import { type Part, STDIN, type TextInput } from "../../files/input.js";
import type { Source, SourceContext } from "../sources/source.js";
import type { DocumentFormat } from "./articles.js";
import { type DocumentInput, readDocuments } from "./documents.js";
import { DocumentReader, type JobSettings } from "./job.js";
import type { BlockKind } from "./marked.js";
import type { Site } from "./site.js";

export interface LinkSource extends Source {
  readonly format: DocumentFormat;
  /** The blocks that sentences are taken from unless others are asked for. */
  readonly blocks: readonly BlockKind[];
}

export function isLinkSource(source: Source | undefined): source is LinkSource {
  return source !== undefined && "format" in source;
}

export function linkSource(description: Omit<LinkSource, "read">): LinkSource {
  const { name: source, blocks, format, extensions } = description;
  const settings: JobSettings = {
    source,
    kinds: ["link"],
    blocks,
    clean: {},
    keepBare: false,
    skipBad: false,
  };
  return {
    ...description,
    read: async function* (inputs, context) {
      let reader: DocumentReader | undefined;
      let site: Site | undefined;
      const options = { format, extensions, ...toCallbacks(context) };
      for await (const document of readDocuments(inputs.map(toInput), options)) {
        if (!reader || document.site !== site) {
          site = document.site;
          reader = new DocumentReader(settings, site, { onSentence: () => {}, drop: context.drop });
        }
        const current = reader;
        const sentences = context.attempt(() => current.read(document));
        if (sentences) yield* sentences;
      }
    },
  };
}

function toCallbacks(context: SourceContext) {
  return {
    drop: context.drop,
    bad: (error: Error) => {
      context.attempt(() => {
        throw error;
      });
    },
  };
}

/** Of standard input some may have been read to recognise it. */
function toInput(input: TextInput): DocumentInput {
  return input.name === STDIN ? { name: input.name, parts: asParts(input) } : { name: input.name };
}

async function* asParts(input: TextInput): AsyncGenerator<Part> {
  let position = 0;
  for await (const text of input.chunks()) {
    const bytes = Buffer.from(text);
    yield { bytes, position, exact: true };
    position += bytes.length;
  }
}
