/**
 * Shapes whose sizes may be known only when a batch arrives. A dimension is a number, a symbol such as
 * `rows`, or a product such as `rows*pieces`; the sizes of the symbols are read from the inputs.
 */

export type ElementType = "float32" | "int32" | "int64" | "int8" | "uint8";
export type Dim = number | string;
export type Shape = readonly Dim[];
export type Sizes = Map<string, number>;

/** The product of two dimensions, itself a dimension. */
export function times(a: Dim, b: Dim): Dim {
  if (typeof a === "number" && typeof b === "number") return a * b;
  return `${a}*${b}`;
}

export function resolveShape(shape: Shape, sizes: Sizes): number[] {
  return shape.map((dim) => resolveDim(dim, sizes));
}

function resolveDim(dim: Dim, sizes: Sizes): number {
  if (typeof dim === "number") return dim;
  return dim.split("*").reduce((product, factor) => product * sizeOf(factor, sizes), 1);
}

function sizeOf(factor: string, sizes: Sizes): number {
  const size = /^\d+$/.test(factor) ? Number(factor) : sizes.get(factor);
  if (size === undefined) throw new Error(`no input tells the size of "${factor}"`);
  return size;
}

/** Learns the sizes of plain symbols from a fed tensor, and checks everything else. */
export function bindShape(name: string, shape: Shape, dims: readonly number[], sizes: Sizes): void {
  if (shape.length === dims.length) {
    for (const [axis, dim] of shape.entries()) {
      const isSymbol = typeof dim === "string" && !dim.includes("*");
      if (isSymbol && !sizes.has(dim)) sizes.set(dim, dims[axis] as number);
    }
  }
  const fits =
    shape.length === dims.length &&
    shape.every((dim, axis) => isOpen(dim, sizes) || resolveDim(dim, sizes) === dims[axis]);
  if (!fits) {
    throw new Error(`"${name}" has shape [${dims}] where [${shape.join(", ")}] is expected`);
  }
}

/** A product whose factors no input has told yet. */
function isOpen(dim: Dim, sizes: Sizes): boolean {
  if (typeof dim === "number") return false;
  return dim.split("*").some((factor) => !/^\d+$/.test(factor) && !sizes.has(factor));
}

export function sizeOfShape(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}
