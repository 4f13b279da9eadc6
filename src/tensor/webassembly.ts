/**
 * Types for the small part of WebAssembly that is used. TypeScript's library has them only together
 * with those of a whole browser.
 */

export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

interface WebAssemblyApi {
  readonly Memory: new (size: { initial: number; maximum: number }) => LinearMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: unknown };
}

const api = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

const PAGE = 65536;

/** The most bytes that one memory can hold, short of the last page so that an end is an address. */
export const LARGEST_MEMORY = 65535 * PAGE;

/** A memory of zeros that never grows, so that views of it stay valid. */
export function createMemory(bytes: number): LinearMemory {
  const pages = Math.ceil(bytes / PAGE);
  return new api.Memory({ initial: pages, maximum: pages });
}

export function instantiate(
  bytes: Uint8Array<ArrayBuffer>,
  imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): unknown {
  return new api.Instance(new api.Module(bytes), imports).exports;
}
