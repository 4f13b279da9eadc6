/**
 * Merges what several files say about the same sentence. Sentences are written in the order of their
 * first appearance.
 *
 * Memory is bounded: when the sentences exceed a limit, they are written to disk, spread over shards by
 * their key. At the end each shard is merged and put in order by itself, and the shards are read side
 * by side.
 */

import { existsSync } from "node:fs";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileFailure } from "../files/failure.js";
import { readLines } from "../files/input.js";
import { ownedName, removeAbandoned } from "../files/owner.js";
import { hashText } from "../hash.js";
import { mergeBrackets, type RawBracket, type RawSentence } from "./raw-sentence.js";
import { tokenKey } from "./sentence-keys.js";

/** When two sentences are the same: if they have the same tokens, the same id and tokens, or never. */
export type MergeBy = "text" | "id" | "none";

export interface MergeOptions {
  readonly by: MergeBy;
  /** How many characters of JSON may be in memory. */
  readonly limit?: number | undefined;
  readonly shards?: number | undefined;
}

/** A sentence and its place in the order of first appearance. */
interface Ordered {
  readonly order: number;
  readonly key: string;
  readonly sentence: RawSentence;
}

export async function* mergeSentences(
  sentences: AsyncIterable<RawSentence>,
  { by, limit = 1 << 28, shards = 64 }: MergeOptions,
): AsyncGenerator<RawSentence> {
  if (by === "none") {
    yield* sentences;
    return;
  }
  const table = new MergeTable();
  let spilled: Shards | undefined;
  let order = 0;
  try {
    for await (const sentence of sentences) {
      table.add({ order: order++, key: mergeKey(sentence, by), sentence });
      if (table.size > limit) {
        spilled ??= await Shards.create(shards);
        await spilled.write(table.take());
      }
    }
    if (!spilled) {
      for (const { sentence } of table.take()) yield sentence;
      return;
    }
    await spilled.write(table.take());
    yield* spilled.readMerged();
  } finally {
    await spilled?.remove();
  }
}

/** The same name for other tokens is another sentence: spans could not be carried over. */
function mergeKey(sentence: RawSentence, by: Exclude<MergeBy, "none">): string {
  const tokens = tokenKey(sentence.tokens);
  return by === "text" ? tokens : `${sentence.id}\n${tokens}`;
}

interface Group {
  readonly first: Ordered;
  readonly others: RawSentence[];
}

/** Sentences by key, in the order of their first appearance. */
class MergeTable {
  #byKey = new Map<string, Group>();
  /** Roughly how many characters of JSON it would take. */
  size = 0;

  add(entry: Ordered): void {
    this.size += estimateSize(entry.sentence);
    const known = this.#byKey.get(entry.key);
    if (known) known.others.push(entry.sentence);
    else this.#byKey.set(entry.key, { first: entry, others: [] });
  }

  /** Empties the table. Each sentence is united when it is read: united ones need not all be in memory. */
  take(): Iterable<Ordered> {
    const groups = this.#byKey;
    this.#byKey = new Map();
    this.size = 0;
    return uniteGroups(groups.values());
  }
}

function* uniteGroups(groups: Iterable<Group>): Generator<Ordered> {
  for (const { first, others } of groups) {
    yield { ...first, sentence: unite([first.sentence, ...others]) };
  }
}

function estimateSize({ tokens, text, offsets, brackets }: RawSentence): number {
  const offsetSize = (offsets?.length ?? 0) * 8;
  return tokens.length * 8 + (text?.length ?? 0) + offsetSize + brackets.length * 60 + 100;
}

function unite(parts: readonly [RawSentence, ...RawSentence[]]): RawSentence {
  const [first] = parts;
  if (parts.length === 1) return first;
  // A gold tree says everything: what others say could only contradict it.
  const complete = parts.find((part) => part.complete);
  if (complete) return complete;
  const sources = new Set(parts.flatMap(({ source }) => source.split("+")));
  const brackets =
    sources.size === 1 ? parts.flatMap((part) => part.brackets) : parts.flatMap(sign);
  return { ...first, source: [...sources].join("+"), brackets: mergeBrackets(brackets) };
}

/** Names of annotators are unique within a source only, so they carry it once sources meet. */
function sign({ brackets, source }: RawSentence): RawBracket[] {
  const full = (name: string) => (name.includes("|") ? name : `${source}|${name}`);
  return brackets.map((bracket) =>
    bracket.annotators ? { ...bracket, annotators: bracket.annotators.map(full) } : bracket,
  );
}

class Shards {
  readonly #folder: string;
  readonly #count: number;

  private constructor(folder: string, count: number) {
    this.#folder = folder;
    this.#count = count;
  }

  static async create(count: number): Promise<Shards> {
    const name = join(tmpdir(), "bracken-merge");
    await removeAbandoned({ beside: name });
    const folder = ownedName(name, "partial");
    await mkdir(folder, { mode: 0o700 });
    return new Shards(folder, count);
  }

  #path(shard: number): string {
    return join(this.#folder, `${shard}.jsonl`);
  }

  async write(entries: Iterable<Ordered>): Promise<void> {
    const shards = Array.from({ length: this.#count }, (): Ordered[] => []);
    for (const entry of entries) shards[(hashText(entry.key) >>> 0) % this.#count]?.push(entry);
    for (const [shard, own] of shards.entries()) {
      if (own.length > 0) await appendFile(this.#path(shard), toLines(own)).catch(this.#fail);
    }
  }

  readonly #fail = (error: unknown): never => {
    throw fileFailure(error, this.#folder);
  };

  /** Merges each shard, then reads them side by side in the order of first appearance. */
  async *readMerged(): AsyncGenerator<RawSentence> {
    const readers: { entry: Ordered; lines: AsyncIterator<{ text: string }> }[] = [];
    for (let shard = 0; shard < this.#count; shard++) {
      const lines = await this.#mergeShard(shard);
      const entry = lines && (await nextEntry(lines));
      if (lines && entry) readers.push({ entry, lines });
    }
    while (readers.length > 0) {
      const first = readers.reduce((a, b) => (b.entry.order < a.entry.order ? b : a));
      yield first.entry.sentence;
      const entry = await nextEntry(first.lines);
      if (entry) first.entry = entry;
      else readers.splice(readers.indexOf(first), 1);
    }
  }

  async #mergeShard(shard: number): Promise<AsyncIterator<{ text: string }> | undefined> {
    if (!existsSync(this.#path(shard))) return undefined;
    const table = new MergeTable();
    for await (const { text } of readLines(this.#path(shard))) {
      table.add(JSON.parse(text) as Ordered);
    }
    await writeFile(this.#path(shard), toLines(table.take())).catch(this.#fail);
    return readLines(this.#path(shard));
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function toLines(entries: Iterable<Ordered>): string {
  return Array.from(entries, (entry) => `${JSON.stringify(entry)}\n`).join("");
}

async function nextEntry(lines: AsyncIterator<{ text: string }>): Promise<Ordered | undefined> {
  const { done, value } = await lines.next();
  return done ? undefined : (JSON.parse(value.text) as Ordered);
}
