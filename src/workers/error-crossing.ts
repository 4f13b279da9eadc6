/**
 * Sends errors from a worker to the thread that asked. An error of a registered class arrives as one of
 * that class, made from its arguments; any other arrives as an Error with its name, code and stack.
 * Copying errors, as threads do by themselves, loses their class and fields.
 */

import { InputError, WorkFailure } from "../errors.js";

/** An error as threads can send it. */
export interface PackedError {
  /** The registered class, and the arguments to make it from. */
  readonly made?: { readonly by: string; readonly from: readonly unknown[] };
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Node's own errors tell what went wrong by this. */
  readonly code: string | undefined;
}

interface Registered {
  is(error: Error): boolean;
  argumentsOf(error: Error): readonly unknown[];
  make(from: readonly unknown[]): Error;
}

const registry = new Map<string, Registered>();

/**
 * Lets errors of a class cross as what they are. Called where the class is defined, so that whoever
 * throws or catches one has it registered.
 */
export function registerError<Arguments extends unknown[] | [], Made extends Error>(
  errorClass: new (...from: Arguments) => Made,
  argumentsOf: (error: Made) => Arguments,
): void {
  registry.set(errorClass.name, {
    is: (error) => error instanceof errorClass,
    argumentsOf: (error) => argumentsOf(error as Made),
    make: (from) => new errorClass(...(from as Arguments)),
  });
}

registerError(InputError, ({ problem, place, remedy }) => [problem, place, remedy]);
registerError(WorkFailure, ({ message, remedy }) => [message, remedy]);

export function packError(thrown: unknown): PackedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, code } = error as Error & { code?: string };
  const plain = { name, message, stack, code };
  for (const [by, { is, argumentsOf }] of registry) {
    if (is(error)) return { ...plain, made: { by, from: argumentsOf(error) } };
  }
  return plain;
}

export function unpackError({ made, name, message, stack, code }: PackedError): Error {
  const error = made && registry.get(made.by)?.make(made.from);
  if (error) return Object.assign(error, { stack });
  return Object.assign(new Error(message), { name, stack }, code === undefined ? {} : { code });
}
