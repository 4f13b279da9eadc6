/** Reads inputs that consist of lines through, and finds the places at which parts of them can begin. */

import { Marks, type UnitStart } from "../files/checkpoint.js";
import { type Part as InputPart, type Packing, readParts } from "../files/input.js";
import { CutPlaces } from "./cut.js";
import { locate, readThrough } from "./inputs.js";
import type { PlanContext, PlannedJob } from "./jobs.js";
import type { PlannedInput } from "./plan.js";

/** Something that is read by itself. */
interface LineUnit {
  readonly position: number;
  readonly start?: UnitStart | undefined;
}

/** An input by its name, and how it is read. */
export type LineInput = Pick<PlannedInput, "name" | "format" | "isGuess">;

/** @param unitsOf cuts the bytes of an input into units, which come in lists. */
export async function planLines<Input extends LineInput>(
  inputs: readonly Input[],
  unitsOf: (input: Input, parts: AsyncIterable<InputPart>) => AsyncIterable<readonly LineUnit[]>,
  context: PlanContext,
): Promise<Omit<PlannedJob, "job">> {
  const places = new CutPlaces();
  const planned: PlannedInput[] = [];
  let work = 0;
  for (const [index, input] of inputs.entries()) {
    const { name } = input;
    const at = await locate(name);
    places.add({ input: index, position: 0, before: work });
    let unpacked = 0;
    const counted = async function* (parts: AsyncIterable<InputPart>) {
      for await (const part of parts) {
        unpacked += part.bytes.length;
        yield part;
      }
    };
    const read = await readThrough(at, context, async (openBytes, packing) => {
      const marks = new Marks(packing);
      const options = { openBytes, onMark: marks.add.bind(marks) };
      const units = unitsOf(input, counted(readParts(name, options)));
      await addPlaces(units, { places, marks, input: index, work });
    });
    const size = sizeOf(read.packing, read.bytes, unpacked);
    planned.push({ ...input, at, ...read, size });
    work += unpacked;
  }
  return { inputs: planned, places, work };
}

/** In the terms of an input's places: those of plain files and bzip2 data are places on disk. */
function sizeOf(packing: Packing, bytes: number, unpacked: number): number {
  return packing === "none" || packing === "bzip2" ? bytes : unpacked;
}

interface AddOptions {
  readonly places: CutPlaces;
  readonly marks: Marks;
  readonly input: number;
  /** How much there is to do in the inputs before. */
  readonly work: number;
}

/** Several units may have one position, which is that of a bzip2 block: a part begins with the first. */
async function addPlaces(
  lists: AsyncIterable<readonly LineUnit[]>,
  { places, marks, input, work }: AddOptions,
): Promise<void> {
  let last = 0;
  for await (const units of lists) {
    for (const { position, start } of units) {
      if (start && position > last) {
        const { checkpoint, unpacked } = marks.checkpoint(start);
        const before = work + unpacked;
        places.add({ input, position, before, start: checkpoint });
      }
      last = position;
    }
  }
}
