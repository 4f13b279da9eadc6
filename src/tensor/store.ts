/**
 * Parameters, their gradients and Adam's two moments, in WebAssembly memory: ONNX Runtime reads and
 * writes it through views without a copy, and so do the kernels. Four arrays of BERT-base fit in one
 * memory of 4 GiB; larger models are spread over several.
 */

import type { Random } from "../random.js";
import { fillInitial } from "./initial.js";
import { BLOCK, type Kernels, kernelsFor } from "./kernels.js";
import type { Parameter } from "./tape.js";
import { createMemory, LARGEST_MEMORY, type LinearMemory } from "./webassembly.js";

export interface StoreOptions {
  /** Also keep an exponential moving average of the values. */
  readonly averages?: boolean;
  /** The most bytes in one memory. */
  readonly largestMemory?: number;
}

export interface AdamOptions {
  /** Counted from 1, for the correction of the moments' bias. */
  readonly step: number;
  /** The learning rate, of all parameters or by name. */
  readonly rate: number | ((parameter: string) => number);
  /** Every gradient is multiplied by this first; see `clipScale`. */
  readonly gradientScale?: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** Decoupled from the gradient, as in AdamW. */
  readonly weightDecay?: number;
}

/** The factor that brings a gradient of this norm down to the limit, as PyTorch computes it. */
export function clipScale(norm: number, limit: number): number {
  return Math.min(1, limit / (norm + 1e-6));
}

type Kind = "value" | "gradient" | "first" | "second" | "average";

interface Slot {
  readonly parameter: Parameter;
  readonly bank: number;
  /** In bytes, a multiple of `BLOCK`. */
  readonly length: number;
  readonly addresses: Readonly<Partial<Record<Kind, number>>>;
}

export class ParameterStore {
  readonly parameters: readonly Parameter[];
  readonly #slots: Map<string, Slot>;
  readonly #memories: LinearMemory[];
  readonly #kernels: Kernels[];
  /** Of parameters that get gradients by rows: which rows ever got one. */
  readonly #rows = new Map<string, Uint8Array>();

  constructor(
    parameters: readonly Parameter[],
    { averages = false, largestMemory = LARGEST_MEMORY }: StoreOptions = {},
  ) {
    const { slots, sizes } = layOut(parameters, averages, largestMemory);
    this.parameters = parameters;
    this.#slots = slots;
    this.#memories = sizes.map(createMemory);
    this.#kernels = this.#memories.map(kernelsFor);
  }

  value(name: string): Float32Array<ArrayBuffer> {
    return this.#view(name, "value");
  }

  gradient(name: string): Float32Array<ArrayBuffer> {
    return this.#view(name, "gradient");
  }

  /** Adam's running mean of the gradient. */
  firstMoment(name: string): Float32Array<ArrayBuffer> {
    return this.#view(name, "first");
  }

  /** Adam's running mean of the squared gradient. */
  secondMoment(name: string): Float32Array<ArrayBuffer> {
    return this.#view(name, "second");
  }

  average(name: string): Float32Array<ArrayBuffer> {
    return this.#view(name, "average");
  }

  get trainable(): Parameter[] {
    return this.parameters.filter(({ trainable }) => trainable);
  }

  /** Whether the optimiser changes a parameter. */
  isTrainable(name: string): boolean {
    return this.#slots.get(name)?.parameter.trainable ?? false;
  }

  /** Draws starting values for the parameters that a condition picks. */
  initialise(random: Random, isPicked: (name: string) => boolean = () => true): void {
    for (const parameter of this.parameters) {
      if (isPicked(parameter.name)) fillInitial(this.value(parameter.name), parameter, random);
    }
  }

  /**
   * From now on the optimiser passes over rows of this parameter that never had a gradient: their
   * moments are zero, and a step would leave them as they are. Of 30,000 words few are in a batch, and
   * thousands in none.
   */
  trackRows(name: string): void {
    const { shape } = (this.#slots.get(name) as Slot).parameter;
    const width = countOf({ shape: shape.slice(1) });
    if (width % LANES !== 0) return;
    const moments = this.secondMoment(name);
    const rows = new Uint8Array(shape[0] as number);
    for (let row = 0; row < rows.length; row++) {
      const part = moments.subarray(row * width, (row + 1) * width);
      rows[row] = part.some((moment) => moment !== 0) ? 1 : 0;
    }
    this.#rows.set(name, rows);
  }

  /** Tells that these rows of the parameter's gradient were filled. */
  touchRows(name: string, touched: ArrayLike<number>): void {
    const rows = this.#rows.get(name);
    for (let i = 0; rows && i < touched.length; i++) rows[touched[i] as number] = 1;
  }

  /** The length of all gradients as one vector. */
  gradientNorm(): number {
    let sum = 0;
    for (const { bank, length, addresses } of this.#slots.values()) {
      const { gradient } = addresses;
      if (gradient !== undefined)
        sum += this.#kernel(bank).squaredNorm(gradient, gradient + length);
    }
    return Math.sqrt(sum);
  }

  /** One step of Adam on every parameter that is trained. */
  adam({
    step,
    rate,
    gradientScale = 1,
    beta1 = 0.9,
    beta2 = 0.999,
    epsilon = 1e-8,
    weightDecay = 0,
  }: AdamOptions): void {
    if (epsilon <= 0) throw new RangeError(`Adam's epsilon must be above 0, not ${epsilon}`);
    const correction1 = 1 - beta1 ** step;
    const correction2 = 1 / Math.sqrt(1 - beta2 ** step);
    for (const { parameter, bank, length, addresses } of this.#slots.values()) {
      const { value = 0, gradient, first = 0, second = 0 } = addresses;
      if (gradient === undefined) continue;
      const own = typeof rate === "number" ? rate : rate(parameter.name);
      const rows = weightDecay === 0 ? this.#rows.get(parameter.name) : undefined;
      for (const [from, to] of rows ? stretches(rows, countOf(parameter) * 4) : [[0, length]]) {
        this.#kernel(bank).adam(
          value + (from as number),
          gradient + (from as number),
          first + (from as number),
          second + (from as number),
          value + (to as number),
          gradientScale,
          beta1,
          1 - beta1,
          beta2,
          1 - beta2,
          correction2,
          epsilon,
          own / correction1,
          1 - own * weightDecay,
        );
      }
    }
  }

  /** Moves the averages towards the values: average ← decay · average + (1 - decay) · value. */
  updateAverages(decay: number): void {
    for (const { bank, length, addresses } of this.#slots.values()) {
      const { value = 0, average } = addresses;
      if (average === undefined) continue;
      this.#kernel(bank).average(average, value, average + length, 1 - decay);
    }
  }

  #view(name: string, kind: Kind): Float32Array<ArrayBuffer> {
    const slot = this.#slots.get(name);
    const address = slot?.addresses[kind];
    if (!slot || address === undefined) {
      throw new Error(slot ? `"${name}" has no ${kind} here` : `no parameter "${name}"`);
    }
    const { buffer } = this.#memories[slot.bank] as LinearMemory;
    return new Float32Array(buffer, address, countOf(slot.parameter));
  }

  #kernel(bank: number): Kernels {
    return this.#kernels[bank] as Kernels;
  }
}

/** How many numbers the kernels handle at a time. */
const LANES = 4;

/** Contiguous marked rows, as half-open ranges of bytes in an array of this many. */
function* stretches(rows: Uint8Array, bytes: number): Generator<[from: number, to: number]> {
  const width = bytes / rows.length;
  for (let from = rows.indexOf(1); from >= 0; ) {
    const next = rows.indexOf(0, from);
    const to = next < 0 ? rows.length : next;
    yield [from * width, to * width];
    from = rows.indexOf(1, to);
  }
}

function countOf({ shape }: Pick<Parameter, "shape">): number {
  return shape.reduce((product, dim) => product * dim, 1);
}

/** Gives every array its place: a parameter's arrays stand together, in one memory. */
function layOut(
  parameters: readonly Parameter[],
  averages: boolean,
  largest: number,
): { slots: Map<string, Slot>; sizes: number[] } {
  const slots = new Map<string, Slot>();
  const sizes = [0];
  for (const parameter of parameters) {
    const kinds: Kind[] = parameter.trainable
      ? ["value", "gradient", "first", "second", ...(averages ? (["average"] as const) : [])]
      : ["value"];
    const length = Math.ceil((countOf(parameter) * 4) / BLOCK) * BLOCK;
    if (length === 0 || length * kinds.length > largest) {
      throw new RangeError(`parameter "${parameter.name}" is empty or too large for one memory`);
    }
    if ((sizes.at(-1) as number) + length * kinds.length > largest) sizes.push(0);
    const bank = sizes.length - 1;
    const start = sizes[bank] as number;
    const addresses = Object.fromEntries(kinds.map((kind, i) => [kind, start + i * length]));
    slots.set(parameter.name, { parameter, bank, length, addresses });
    sizes[bank] = start + length * kinds.length;
  }
  return { slots, sizes };
}
