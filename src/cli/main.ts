#!/usr/bin/env node
/**
 * The installed command: an older Node is told which one is needed, before it meets anything that it
 * cannot read. "engines" in package.json says the same.
 */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const suffices = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);

if (suffices) {
  await import("./program.js");
} else {
  process.stderr.write(
    `error: bracken needs Node 20.19, 22.12 or later, and this is Node ${process.versions.node}\n` +
      "       install another from https://nodejs.org\n",
  );
  process.exitCode = 2;
}

export {};
