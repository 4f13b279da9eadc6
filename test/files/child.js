// A run with a resumable output: three lines, made from an input. Prints how it ended.

import { openSink } from "../../dist/files/sink.js";

const [out, input] = process.argv.slice(2);
try {
  const sink = await openSink(out, { inputs: [input], key: { lines: 3 } });
  let state = sink.resumed ?? { lines: 0 };
  try {
    while (!sink.isWhole && state.lines < 3) {
      const text = `line ${state.lines}\n`;
      state = { lines: state.lines + 1 };
      await sink.write(text, state);
    }
  } catch (error) {
    throw await sink.stop(error, state);
  }
  await sink.finish(state);
  console.log("done");
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}
