/**
 * The output of a run that may be killed and started again: a file, which is resumed, or standard
 * output, a FIFO or a device, which cannot be. Either way the results before an error are kept.
 */

import { stat } from "node:fs/promises";
import { InputError } from "../errors.js";
import { identitiesOf } from "./identity.js";
import { type Output, openOutput, openTextTarget } from "./output.js";
import { partialName, ResumableOutput, type RunKey } from "./resumable.js";
import { type FileTarget, findTarget } from "./target.js";

export interface Sink<State> {
  /** How far a run came that did not end. */
  readonly resumed: State | undefined;
  /** Whether that run had done everything: there is nothing left but to finish. */
  readonly isWhole: boolean;
  /** A message for the user before the run begins. */
  readonly note: string | undefined;
  /** Writes text with the state that holds once it is written. */
  write(text: string, state: State): Promise<void>;
  finish(state: State): Promise<void>;
  /**
   * Keeps what was written before an error, and `text`, which the state does not count. Returns the error
   * with a note that says where the results are.
   */
  stop(error: unknown, state: State, text?: string): Promise<unknown>;
}

export interface SinkOptions {
  /** The files that the run reads. Their contents must be the same for it to go on. */
  readonly inputs: readonly string[];
  /** What else must be the same. */
  readonly key: RunKey;
}

/**
 * Opens the output before any work is done. A run that reads standard input or a pipe cannot go on,
 * since nothing tells whether it gets the same again: it begins anew.
 */
export async function openSink<State>(
  output: string | undefined,
  { inputs, key }: SinkOptions,
): Promise<Sink<State>> {
  const target = await findTarget(output, inputs);
  if (target.kind !== "file") return plainSink(await openTextTarget(output ?? "-", target));
  const contents = await identitiesOf(inputs);
  return fileSink(target, contents && { ...key, files: inputs, contents });
}

/** For a run that cannot go on: its file is written as a whole or not at all. */
export async function openWholeSink<State>(
  output: string | undefined,
  inputs: readonly string[],
): Promise<Sink<State>> {
  const file = await openOutput(output, inputs);
  return {
    resumed: undefined,
    isWhole: false,
    note: undefined,
    write: (text) => file.write(text),
    finish: () => file.close(),
    stop: async (error) => {
      await file.discard();
      return error;
    },
  };
}

async function fileSink<State>(target: FileTarget, key: RunKey | undefined): Promise<Sink<State>> {
  const before = await stat(partialName(target.path)).catch(() => undefined);
  const file = await ResumableOutput.open<State>(target, key);
  const dropped = "what an unfinished run wrote is dropped, since pipes cannot be read again";
  return {
    note: !key && before?.size ? `${target.path}: ${dropped}` : undefined,
    resumed: file.resumed,
    isWhole: file.isWhole,
    write: (text, state) => file.write(text, state),
    finish: (state) => file.finish(state),
    stop: async (error, state, text = "") => {
      // The error that stopped the run is reported; the state that was saved before it is still valid.
      const isLeft = await file.leave(state, text).catch(() => true);
      if (!isLeft) return error;
      return withNote(error, `what was read before it is in ${partialName(target.path)}`);
    },
  };
}

function plainSink<State>(output: Output): Sink<State> {
  return {
    resumed: undefined,
    isWhole: false,
    note: undefined,
    write: (text) => output.write(text),
    finish: () => output.close(),
    stop: async (error, _, text = "") => {
      try {
        await output.write(text);
        await output.close();
      } catch {
        return error;
      }
      return withNote(error, "what was read before it has been written");
    },
  };
}

function withNote(error: unknown, note: string): unknown {
  if (!(error instanceof InputError)) return error;
  const { problem, place, remedy } = error;
  return new InputError(problem, place, remedy ? `${remedy}; ${note}` : note);
}
