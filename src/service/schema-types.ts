/**
 * JSON Schemas that know the type they describe. Each builder returns the schema and, for the compiler
 * only, its shape, so that a schema that differs from its message in wire.ts does not compile.
 */

/** A schema of any type. */
export type AnySchema = Readonly<Record<string, unknown>>;

declare const SHAPE: unique symbol;

/** Invariant in its shape: a schema of one shape is no schema of a wider or narrower one. */
export type Schema<S> = AnySchema & { readonly [SHAPE]?: (shape: S) => S };

type ShapeOf<T> = T extends Schema<infer S> ? S : never;

/** An optional member as one that is there: the compiler takes types that differ in one for alike. */
interface Optional<S> {
  readonly optional: S;
}

/** The shape of a type's JSON. */
export type Shape<T> = T extends readonly unknown[]
  ? { readonly [Index in keyof T]: Shape<T[Index]> }
  : T extends object
    ? {
        readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
          ? Optional<Shape<Exclude<T[Name], undefined>>>
          : Shape<T[Name]>;
      }
    : T;

export const text: Schema<string> = { type: "string" };
export const flag: Schema<boolean> = { type: "boolean" };
export const no: Schema<false> = { type: "boolean", enum: [false] };
export const number: Schema<number> = { type: "number" };
export const count: Schema<number> = { type: "integer", minimum: 0 };
export const anything: Schema<unknown> = {};

/** The same type, with more said about it. */
export function refine<T>(schema: Schema<T>, more: AnySchema | string): Schema<T> {
  return { ...schema, ...(typeof more === "string" ? { description: more } : more) };
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  const { type, ...rest }: AnySchema = schema;
  return typeof type === "string"
    ? { type: [type, "null"], ...rest }
    : { oneOf: [schema, { type: "null" }] };
}

export function oneOfTexts<const T extends string>(values: readonly T[]): Schema<T> {
  return { type: "string", enum: values };
}

export function listOf<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: "array", items };
}

export function pairOf<T>(items: Schema<T>): Schema<readonly [T, T]> {
  return { type: "array", items, minItems: 2, maxItems: 2 };
}

export function either<A, B>(first: Schema<A>, second: Schema<B>): Schema<A | B> {
  return { oneOf: [first, second] };
}

type Schemas = Readonly<Record<string, AnySchema>>;
type Members<P> = { readonly [Name in keyof P]: ShapeOf<P[Name]> };
type Optionals<Q> = { readonly [Name in keyof Q]: Optional<ShapeOf<Q[Name]>> };

/** An object with these members and no others. */
export function record<P extends Schemas>(required: P): Schema<Members<P>>;
export function record<P extends Schemas, Q extends Schemas>(
  required: P,
  optional: Q,
): Schema<Members<P> & Optionals<Q>>;
export function record(required: Schemas, optional: Schemas = {}): AnySchema {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** Of these members, an object has exactly one. */
export function exactlyOne(...names: string[]): AnySchema {
  return { oneOf: names.map((name) => ({ required: [name] })) };
}
