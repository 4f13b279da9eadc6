// Adds lines to a journal, some at the same time, and prints each that is on disk and each that is not.

import { Journal } from "../../dist/files/journal.js";

const [file] = process.argv.slice(2);
try {
  const journal = await Journal.open(file, (line) => line.endsWith("."));
  const add = (line) =>
    journal.append(`${line}.\n`).then(
      () => process.stdout.write(`on disk: ${line}.\n`),
      (error) => process.stdout.write(`failed: ${line}. ${error.message}\n`),
    );
  await add("first");
  await Promise.all(["second", "third", "fourth"].map(add));
  await add("last");
  await journal.close();
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
