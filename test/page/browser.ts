/**
 * A real browser for the page's tests: the Chromium that comes with the npm package
 * `@sparticuz/chromium`, or the one that BRACKEN_BROWSER names. Every page made here watches itself:
 * a message of error, an uncaught exception or a request to another origin fails the test.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { ROOT } from "../cli/run.js";
import type { Served } from "../service/serving.js";

/**
 * Unpacks the browser once. The package would do it into the folder for temporary files, under a name
 * that is there before the file is whole; here it has its name only when it is whole.
 */
function unpackBrowser(): string {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const manifest = readFileSync(join(entry, "../../../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const cache = join(ROOT, "node_modules/.cache");
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "chromium-partial-"));
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: ROOT,
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
async function launchBundled(args: readonly string[]): Promise<Browser> {
  const folder = unpackBrowser();
  const executablePath = join(folder, "chromium");
  const fonts = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") };
  const launch = (env: Record<string, string>) =>
    chromium.launch({
      executablePath,
      args: [...args],
      env: { ...(process.env as Record<string, string>), ...fonts, ...env },
    });
  return launch({}).catch((error: Error) => {
    if (!error.message.includes("shared libraries")) throw error;
    return launch({ LD_LIBRARY_PATH: join(folder, "al2023/lib") });
  });
}

export async function launchBrowser(extra: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.BRACKEN_BROWSER;
  const args = [...ARGUMENTS, ...extra];
  try {
    return await (executablePath ? chromium.launch({ executablePath, args }) : launchBundled(args));
  } catch (error) {
    throw new Error(
      `No browser could be started (${executablePath ?? "@sparticuz/chromium"}), and the page cannot ` +
        "be tested without one. Set BRACKEN_BROWSER to the executable of Chromium, Chrome or Edge.\n" +
        (error as Error).message,
    );
  }
}

interface Server {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Serves the built page as `npm run demo` does. */
async function startDemo(models: string): Promise<Server> {
  const script = join(ROOT, "scripts/demo.js");
  const demo = spawn(process.execPath, [script, "--no-build", "--no-open", "--models", models], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    demo.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
    demo.once("exit", (code) => reject(new Error(`the demo ended with ${code}`)));
  });
  return { address, process: demo };
}

export interface Visit {
  /** A new page of a context of its own, at a place such as `#/data`. */
  open(place?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same page for all tests that ask for it, so that its model is loaded once. */
  revisit(place: string): Promise<Page>;
  /** Another page that shares cache and storage with one. */
  beside(page: Page, place: string): Promise<Page>;
  /** Allows messages of error that match, in this test. */
  expectError(pattern: RegExp): void;
}

/** A browser and a server of files for the tests of one file. */
export function visitPage(
  models: () => string | Promise<string>,
  args: readonly string[] = [],
): Visit {
  return visitServer(async () => startDemo(await models()), args);
}

/** A browser and a real service. */
export function visitService(start: () => Promise<Served>): Visit {
  return visitServer(async () => {
    const { url, child } = await start();
    return { address: url, process: child };
  });
}

function visitServer(start: () => Promise<Server>, args: readonly string[] = []): Visit {
  const visit = new Visiting();
  beforeAll(async () => {
    if (!existsSync(join(ROOT, "dist/web/index.html"))) {
      throw new Error("the page is not built: npm run build");
    }
    await visit.start(await start(), args);
  });
  afterEach(() => visit.finishTest());
  afterAll(() => visit.stop());
  return visit;
}

class Visiting implements Visit {
  #browser: Browser | undefined;
  #server: ChildProcess | undefined;
  #address = "";
  #shared: Page | undefined;
  #visits = 0;
  readonly #contexts: BrowserContext[] = [];
  readonly #problems: string[] = [];
  readonly #allowed: RegExp[] = [];

  async start({ address, process: server }: Server, args: readonly string[]): Promise<void> {
    this.#server = server;
    this.#address = address;
    this.#browser = await launchBrowser(args);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    this.#server?.kill();
  }

  async finishTest(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    const allowed = this.#allowed.splice(0);
    const problems = this.#problems.splice(0);
    expect(problems.filter((each) => !allowed.some((one) => one.test(each)))).toEqual([]);
  }

  expectError(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  async open(place = "", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#newContext(options);
    this.#contexts.push(context);
    return this.beside(context, place);
  }

  async revisit(place: string): Promise<Page> {
    this.#visits += 1;
    // A link that the page has not seen, whatever was done to it since.
    const fresh = `${place}${place.includes("?") ? "&" : "?"}visit=${this.#visits}`;
    if (!this.#shared) {
      this.#shared = await this.beside(await this.#newContext({}), fresh);
      return this.#shared;
    }
    await this.#shared.mouse.move(2, 2);
    await this.#shared.evaluate(
      (hash) =>
        new Promise((resolve) => {
          addEventListener("hashchange", resolve, { once: true });
          location.hash = hash;
        }),
      fresh,
    );
    return this.#shared;
  }

  async beside(neighbour: Page | BrowserContext, place: string): Promise<Page> {
    const page = await ("context" in neighbour ? neighbour.context() : neighbour).newPage();
    page.on("console", (message) => {
      if (message.type() === "error") this.#problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#problems.push(`uncaught: ${error.message}`));
    await page.goto(this.#address + place);
    await page.waitForSelector("[role=tab][aria-selected=true]");
    return page;
  }

  async #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await (this.#browser as Browser).newContext({
      viewport: { width: 1200, height: 900 },
      reducedMotion: "reduce",
      ...options,
    });
    context.on("request", (request) => {
      const url = request.url();
      const isOwn = url.startsWith(this.#address) || /^(blob|data):/.test(url);
      if (!isOwn) this.#problems.push(`request: ${url}`);
    });
    return context;
  }
}
