// A real browser, for the page's tests and its measurements: the Chromium that comes with the npm package
// `@sparticuz/chromium`, or the one that BRACKEN_BROWSER names.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Unpacks the browser once. The package would do it into the folder for temporary files, under a name
 * that is there before the file is whole; here it has its name only when it is whole.
 */
function unpackBrowser() {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const manifest = readFileSync(join(entry, "../../../package.json"), "utf8");
  const { version } = JSON.parse(manifest);
  const cache = join(root, "node_modules/.cache");
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "chromium-partial-"));
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    // On what it takes for Amazon's machines, the package unpacks shared libraries as well.
    env: { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
  try {
    renameSync(partial, folder);
  } catch {
    // Another test file was faster.
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

const ARGUMENTS = ["--no-sandbox", "--font-render-hinting=none"];

/** On a bare machine the browser runs with the libraries and the fonts that came with it. */
async function launchBundled(args) {
  const folder = unpackBrowser();
  const executablePath = join(folder, "chromium");
  const fonts = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") };
  const launch = (env) =>
    chromium.launch({
      executablePath,
      args: [...args],
      env: { ...process.env, ...fonts, ...env },
    });
  return launch({}).catch((error) => {
    if (!error.message.includes("shared libraries")) throw error;
    return launch({ LD_LIBRARY_PATH: join(folder, "al2023/lib") });
  });
}

export async function launchBrowser(extra = []) {
  const executablePath = process.env.BRACKEN_BROWSER;
  const args = [...ARGUMENTS, ...extra];
  try {
    return await (executablePath ? chromium.launch({ executablePath, args }) : launchBundled(args));
  } catch (error) {
    throw new Error(
      `No browser could be started (${executablePath ?? "@sparticuz/chromium"}), and the page cannot ` +
        "be tested without one. Set BRACKEN_BROWSER to the executable of Chromium, Chrome or Edge.\n" +
        error.message,
    );
  }
}
