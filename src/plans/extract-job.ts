/** `bracken extract` by parts, for documents: answers are merged, which needs all of them together. */

import { InputError } from "../errors.js";
import { documentSettings, type ExtractOptions } from "../extract/options.js";
import { extractSteps, planExtraction } from "../extract/pipeline.js";
import { ExtractReport } from "../extract/report.js";
import { SOURCES } from "../extract/sources/index.js";
import type { DocumentSource } from "../extract/sources/source.js";
import { inflateSegment } from "../files/bzip2.js";
import { scanBlocks } from "../files/bzip2-scan.js";
import { Marks } from "../files/checkpoint.js";
import { type ByteOpener, type Packing, type ReadStart, readParts } from "../files/input.js";
import { CutPlaces } from "./cut.js";
import { locate, readThrough } from "./inputs.js";
import type { PartRunner, PlanContext, PlannedJob, WorkContext } from "./jobs.js";
import { type FileOf, hashOf, type PlannedInput, readLines, toLines } from "./plan.js";

/** The options that determine the records. */
export type ExtractJobOptions = Omit<
  ExtractOptions,
  "source" | "shard" | "threads" | "signal" | "exclude"
>;

export interface ExtractJob {
  readonly command: "extract";
  readonly source: string;
  readonly options: ExtractJobOptions;
  /** The keys of sentences that are left out. */
  readonly exclude?: FileOf | undefined;
}

const EXCLUDED = "excluded.jsonl";

/** Files are cut inside only where this much stands between the cuts. */
const APART = 1 << 18;

export async function planExtract(
  names: readonly string[],
  source: string,
  { exclude, ...options }: ExtractJobOptions & Pick<ExtractOptions, "exclude">,
  context: PlanContext,
): Promise<PlannedJob> {
  const { resumable: run } = await planExtraction(names, { ...options, source, exclude });
  if (!run) throw notDocuments();
  const keys = run.settings.exclude && [...run.settings.exclude];
  const excluded = keys && toLines(keys);
  const places = new CutPlaces();
  const inputs: PlannedInput[] = [];
  let work = 0;
  for (const [index, { name }] of run.inputs.entries()) {
    const at = await locate(name);
    const found = new DocumentPlaces();
    const read = await readThrough(at, context, (openBytes, packing) =>
      found.read(name, openBytes, packing),
    );
    const size = found.size ?? read.bytes;
    inputs.push({ name, at, ...read, size });
    for (const { start, before } of found.places(size, read.packing)) {
      const position = start.position + (start.packing === "bzip2" ? 0 : start.skip);
      places.add({ input: index, position, before: work + before, start });
    }
    work += size * found.ratio;
  }
  const job: ExtractJob = {
    ...{ command: "extract", source: run.source.name, options },
    ...(keys ? { exclude: { count: keys.length, sha256: hashOf(excluded as string) } } : {}),
  };
  return { job, inputs, places, work, more: excluded ? { [EXCLUDED]: excluded } : {} };
}

function notDocuments(): InputError {
  return new InputError(
    "question–answer data is merged, so it cannot be cut into parts; neither can files of several sources",
    {},
    "name a source of documents, such as wikipedia; for answers, run bracken extract",
  );
}

/** The places of a file of documents: pages are found from any byte on. */
class DocumentPlaces {
  readonly #blocks: number[] = [];
  #marks = new Marks("none");
  /** Of what is unpacked, where places are counted in that. */
  size: number | undefined;
  /** How many bytes of text one of the file has. */
  ratio = 1;

  async read(name: string, openBytes: ByteOpener, packing: Packing): Promise<void> {
    if (packing === "bzip2") await this.#readBlocks(openBytes(name, 0));
    else if (packing !== "none") await this.#unpack(name, openBytes, packing);
  }

  /** Blocks are found without unpacking them, but for the first, which tells how densely it is packed. */
  async #readBlocks(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const segment of scanBlocks(bytes)) {
      if (this.#blocks.length === 0) {
        const text = inflateSegment(segment)?.length ?? segment.bytes.length;
        this.ratio = text / segment.bytes.length;
      }
      this.#blocks.push(segment.position);
    }
  }

  async #unpack(name: string, openBytes: ByteOpener, packing: Packing): Promise<void> {
    const marks = new Marks(packing);
    this.#marks = marks;
    this.size = 0;
    const parts = readParts(name, { openBytes, onMark: (mark) => marks.add(mark) });
    for await (const { bytes } of parts) this.size += bytes.length;
  }

  *places(size: number, packing: Packing): Generator<{ start: ReadStart; before: number }> {
    yield { start: { packing, seek: 0, position: 0, skip: 0 }, before: 0 };
    for (const position of this.#blocks.slice(1)) {
      const start: ReadStart = { packing, seek: position, position, skip: 0 };
      yield { start, before: position * this.ratio };
    }
    if (packing === "bzip2") return;
    for (let position = APART; position < size; position += APART) {
      const line = { position, within: 0, line: 1, withReturns: false };
      const { seek, position: from, skip } = this.#marks.checkpoint(line).checkpoint;
      yield { start: { packing, seek, position: from, skip }, before: position };
    }
  }
}

export async function openExtractJob(
  { source: name, options, exclude: excluded }: ExtractJob,
  { plan, store, openBytes, threads = 1 }: WorkContext,
): Promise<PartRunner> {
  const source = SOURCES.find((each) => each.name === name) as DocumentSource;
  const keys = excluded && (await readLines<string>(store, EXCLUDED, excluded));
  const settings = documentSettings(options, source, keys && new Set(keys));
  const inputs = plan.inputs.map((input) => ({ name: input.name }));
  return {
    run: async ({ from, to, start }, { write, signal }) => {
      const report = new ExtractReport();
      const run = { inputs, source, settings, threads, openBytes, start, stretch: { from, to } };
      const all = { files: [], jobs: [run], signal, unknown: 0, resumable: run };
      for await (const { lines, done } of extractSteps(all, report)) {
        if (done) await write(lines(), done);
      }
      return { sentences: report.written, report: report.toJSON() };
    },
    close: async () => {},
  };
}
