/**
 * Where a run's results go that may be killed and taken up again: a file that is resumed, or
 * standard output, which can not be. Either way what was done before an error is kept.
 */

import { InputError } from "../errors.js";
import { openOutput } from "./output.js";
import { partialName, ResumableOutput } from "./resumable.js";

export interface Sink<State> {
  /** How far a run came that did not end. */
  readonly resumed: State | undefined;
  /** Writes text with the state that holds once it is written. */
  write(text: string, state: State): Promise<void>;
  finish(): Promise<void>;
  /** Keeps what was written before an error, and says where; the text is beyond the state. */
  stop(state: State, text?: string): Promise<string>;
}

/** `key` is what must be the same for a run to be taken up. */
export async function openSink<State>(
  output: string | undefined,
  key: string,
): Promise<Sink<State>> {
  if (output !== undefined && output !== "-") {
    const file = await ResumableOutput.open<State>(output, key);
    return {
      resumed: file.resumed,
      write: (text, state) => file.write(text, state),
      finish: () => file.finish(),
      stop: async (state, text = "") => {
        await file.save(state);
        await file.append(text);
        await file.leave();
        return `what was read before it is in ${partialName(output)}`;
      },
    };
  }
  const standard = await openOutput();
  return {
    resumed: undefined,
    write: (text) => standard.write(text),
    finish: () => standard.close(),
    stop: async (_, text = "") => {
      await standard.write(text);
      await standard.close();
      return "what was read before it has been written";
    },
  };
}

/** The error, with a note of where what was done before it is. */
export function withNote({ problem, place, remedy }: InputError, note: string): InputError {
  return new InputError(problem, place, remedy ? `${remedy}; ${note}` : note);
}
