/**
 * A very small WebAssembly assembler: code is written as nested calls, similar to the text format, and
 * every call returns its bytes. It has only the instructions that the kernels use. The one memory is
 * imported.
 */

export type Code = readonly number[];

export const TYPE = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
export type TypeName = keyof typeof TYPE;

/** A parameter or local variable. */
export interface Variable {
  readonly get: Code;
  set(value: Code): Code;
}

export interface FunctionCode {
  readonly parameters: readonly TypeName[];
  readonly locals: readonly TypeName[];
  readonly result: TypeName | undefined;
  readonly body: Code;
}

type Types = Readonly<Record<string, TypeName>>;
type Variables<T extends Types> = { readonly [Name in keyof T]: Variable };

/** A function of named parameters and locals. */
export function defineFunction<P extends Types, L extends Types>(
  parameters: P,
  locals: L,
  result: TypeName | undefined,
  body: (variables: Variables<P> & Variables<L>) => readonly Code[],
): FunctionCode {
  const names = [...Object.keys(parameters), ...Object.keys(locals)];
  const variables = Object.fromEntries(names.map((name, index) => [name, variable(index)]));
  return {
    parameters: Object.values(parameters),
    locals: Object.values(locals),
    result,
    body: body(variables as Variables<P> & Variables<L>).flat(),
  };
}

function variable(index: number): Variable {
  return {
    get: [0x20, ...unsigned(index)],
    set: (value) => [...value, 0x21, ...unsigned(index)],
  };
}

/** Repeats the body as long as the condition after it holds. */
export function repeatWhile(condition: Code, body: readonly Code[]): Code {
  const emptyType = 0x40;
  return [0x03, emptyType, ...body.flat(), ...condition, 0x0d, 0, 0x0b];
}

const simd = (...opcode: number[]): Code => [0xfd, ...opcode];
const binary =
  (opcode: Code) =>
  (a: Code, b: Code): Code => [...a, ...b, ...opcode];
const unary =
  (opcode: Code) =>
  (a: Code): Code => [...a, ...opcode];

/** Alignment (as a power of two) and offset of a memory access. */
const access = (offset: number): Code => [0, ...unsigned(offset)];

export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value)],
  add: binary([0x6a]),
  differs: binary([0x47]),
};

export const f64 = { add: binary([0xa0]) };

export const v128 = {
  zero: [...simd(0x0c), ...new Array<number>(16).fill(0)],
  load: (address: Code, offset = 0): Code => [...address, ...simd(0x00), ...access(offset)],
  store: (address: Code, value: Code): Code => [...address, ...value, ...simd(0x0b), ...access(0)],
  /** Bytes 8 to 15, moved down. */
  upperHalf: (value: Code): Code => {
    const chosen = Array.from({ length: 16 }, (_, byte) => 8 + (byte % 8));
    return [...value, ...value, ...simd(0x0d), ...chosen];
  },
};

export const f32x4 = {
  splat: unary(simd(0x13)),
  sqrt: unary(simd(0xe3, 0x01)),
  add: binary(simd(0xe4, 0x01)),
  subtract: binary(simd(0xe5, 0x01)),
  multiply: binary(simd(0xe6, 0x01)),
  divide: binary(simd(0xe7, 0x01)),
};

export const f64x2 = {
  /** The two lower 32-bit numbers at double precision. */
  promote: unary(simd(0x5f)),
  add: binary(simd(0xf0, 0x01)),
  multiply: binary(simd(0xf2, 0x01)),
  lane: (value: Code, lane: number): Code => [...value, ...simd(0x21, lane)],
};

/** The module that exports the functions and imports its memory as `host.memory`. */
export function assemble(
  functions: Readonly<Record<string, FunctionCode>>,
): Uint8Array<ArrayBuffer> {
  const all = Object.values(functions);
  const types = all.map(({ parameters, result }) => [
    0x60,
    ...vector(parameters.map((type) => [TYPE[type]])),
    ...vector(result ? [[TYPE[result]]] : []),
  ]);
  const memory = [...text("host"), ...text("memory"), 0x02, 0x00, 0x00];
  const exports = Object.keys(functions).map((name, i) => [...text(name), 0x00, ...unsigned(i)]);
  const bodies = all.map(({ locals, body }) => {
    const declared = vector(locals.map((type) => [1, TYPE[type]]));
    const code = [...declared, ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(2, vector([memory])),
    ...section(3, vector(all.map((_, i) => unsigned(i)))),
    ...section(7, vector(exports)),
    ...section(10, vector(bodies)),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector([...new TextEncoder().encode(value)].map((byte) => [byte]));
}

/** LEB128, seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** LEB128 with the sign in the last byte's second-highest bit. */
function signed(value: number): Code {
  if (value >= -64 && value < 64) return [value & 0x7f];
  return [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
