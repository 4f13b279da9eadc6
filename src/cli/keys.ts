/** Keys as they are pressed, one after the other: of a terminal, or the letters of a file or a pipe. */

import { emitKeypressEvents } from "node:readline";

interface Keypress {
  readonly name?: string | undefined;
  readonly ctrl?: boolean;
}

export class Keys {
  readonly #stream: NodeJS.ReadStream;
  readonly #onChange: () => void;
  readonly #onKey = (text: string | undefined, key: Keypress) => this.#press(text, key);
  readonly #onEnd = () => this.#end();
  #pressed: string[] = [];
  #isEnded = false;

  /** @param onChange called when a key was pressed, and when no more will come. */
  constructor(stream: NodeJS.ReadStream, onChange: () => void) {
    this.#stream = stream;
    this.#onChange = onChange;
    emitKeypressEvents(stream);
    if (stream.isTTY) stream.setRawMode(true);
    stream.on("keypress", this.#onKey);
    stream.once("end", this.#onEnd);
    stream.resume();
  }

  /** The next key: `y`, `left`, `return`; `q` for Ctrl-C and Ctrl-D as well. Undefined if none was pressed. */
  take(): string | undefined {
    return this.#pressed.shift();
  }

  /** Whether all keys were taken and no more will come. */
  get isOver(): boolean {
    return this.#isEnded && this.#pressed.length === 0;
  }

  /** Forgets what was pressed before there was anything to answer. The letters of a file are never too early. */
  forget(): void {
    if (this.#stream.isTTY) this.#pressed = this.#pressed.filter((key) => key === "q");
  }

  #press(text: string | undefined, { name, ctrl }: Keypress): void {
    if (ctrl && name !== "c" && name !== "d") return;
    const key = ctrl ? "q" : (name ?? text)?.toLowerCase();
    if (key === undefined) return;
    this.#pressed.push(key);
    this.#onChange();
  }

  #end(): void {
    this.#isEnded = true;
    this.#onChange();
  }

  /** Leaves the terminal as it was. */
  close(): void {
    this.#stream.off("keypress", this.#onKey);
    this.#stream.off("end", this.#onEnd);
    if (this.#stream.isTTY) this.#stream.setRawMode(false);
    this.#stream.pause();
    this.#pressed = [];
    this.#end();
  }
}
