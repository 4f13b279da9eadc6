/** A stream of bytes in parts of any size, taken by the byte. */

export class ByteSource {
  readonly #source: AsyncIterator<{ readonly bytes: Uint8Array }>;
  #held: Uint8Array = new Uint8Array(0);
  /** How many bytes have been taken. */
  position = 0;

  constructor(source: AsyncIterable<{ readonly bytes: Uint8Array }>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At most this many bytes; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      this.#held = value.bytes;
    }
    const bytes = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(bytes.length);
    this.position += bytes.length;
    return bytes;
  }

  /** The next bytes to be taken are these, which were taken last. */
  putBack(bytes: Uint8Array): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([bytes, this.#held]);
    this.position -= bytes.length;
  }

  /** Exactly this many bytes; undefined if there are fewer. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      const bytes = await this.some(count - at);
      if (!bytes) return undefined;
      taken.set(bytes, at);
      at += bytes.length;
    }
    return taken;
  }

  /** Nothing more is taken. */
  close(): void {
    this.#source.return?.()?.catch(() => {});
  }
}
