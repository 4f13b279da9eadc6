/**
 * Parameters, their gradients and Adam's two moments, in WebAssembly memory: ONNX Runtime reads and
 * writes it through views without a copy, and so do the kernels. Four arrays of BERT-base fit in one
 * memory of 4 GiB; larger models are spread over several.
 */

import type { Random } from "../random.js";
import { fillInitial } from "./initial.js";
import { type AdamArrays, BLOCK, type Kernels, kernelsFor, runAdam } from "./kernels.js";
import { LateRows } from "./late-rows.js";
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
  /** Of parameters that get gradients by rows. */
  readonly #rows = new Map<string, LateRows>();

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
    return this.#settled(name, "value");
  }

  gradient(name: string): Float32Array<ArrayBuffer> {
    return this.#view(name, "gradient");
  }

  /** Adam's running mean of the gradient. */
  firstMoment(name: string): Float32Array<ArrayBuffer> {
    return this.#settled(name, "first");
  }

  /** Adam's running mean of the squared gradient. */
  secondMoment(name: string): Float32Array<ArrayBuffer> {
    return this.#settled(name, "second");
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
   * From now on this parameter gets its gradient by rows, and the optimiser makes up for the steps of other
   * rows when they are needed; see late-rows.ts. Its arrays are up to date when they are asked for, and
   * rows after `needRows`.
   */
  trackRows(name: string): void {
    const { parameter, bank, addresses } = this.#slots.get(name) as Slot;
    const rows = parameter.shape[0] as number;
    if ((countOf(parameter) / rows) % (BLOCK / 4) !== 0) return;
    this.#rows.get(name)?.settle();
    const [values, moments] = [this.#view(name, "value"), this.#view(name, "second")];
    const arrays = addresses as AdamArrays;
    this.#rows.set(name, new LateRows(this.#kernel(bank), arrays, values, moments, rows));
  }

  /** Brings rows of the parameter up to date that are to be read. */
  needRows(name: string, rows: Iterable<number>): void {
    this.#rows.get(name)?.catchUp(rows);
  }

  /** Tells that these rows of the parameter's gradient were filled. */
  touchRows(name: string, touched: Iterable<number>): void {
    this.#rows.get(name)?.touch(touched);
  }

  /** Tells that the parameter's gradient is zero again. */
  clearRows(name: string): void {
    this.#rows.get(name)?.clear();
  }

  /** The length of all gradients as one vector. */
  gradientNorm(): number {
    let sum = 0;
    for (const { parameter, bank, length, addresses } of this.#slots.values()) {
      const { gradient } = addresses;
      if (gradient === undefined) continue;
      const rows = this.#rows.get(parameter.name);
      sum += rows
        ? rows.squaredNorm()
        : this.#kernel(bank).squaredNorm(gradient, gradient + length);
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
    const correction = 1 / Math.sqrt(1 - beta2 ** step);
    for (const { parameter, bank, length, addresses } of this.#slots.values()) {
      if (addresses.gradient === undefined) continue;
      const own = typeof rate === "number" ? rate : rate(parameter.name);
      const numbers = {
        gradientScale,
        beta1,
        beta2,
        correction,
        epsilon,
        rate: own / correction1,
        keep: 1 - own * weightDecay,
      };
      const rows = this.#rows.get(parameter.name);
      if (rows && weightDecay === 0) {
        rows.step(numbers);
      } else {
        rows?.settle();
        runAdam(this.#kernel(bank), addresses as AdamArrays, length, numbers);
      }
    }
  }

  /** Moves the averages towards the values: average ← decay · average + (1 - decay) · value. */
  updateAverages(decay: number): void {
    for (const { parameter, bank, length, addresses } of this.#slots.values()) {
      const { value = 0, average } = addresses;
      if (average === undefined) continue;
      this.#rows.get(parameter.name)?.settle();
      this.#kernel(bank).average(average, value, average + length, 1 - decay);
    }
  }

  #settled(name: string, kind: Kind): Float32Array<ArrayBuffer> {
    this.#rows.get(name)?.settle();
    return this.#view(name, kind);
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
