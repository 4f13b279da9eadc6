/**
 * A real browser for the page's tests. Every page made here watches itself: a message of error, an uncaught exception
 * or a request to another origin fails the test.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchBrowser } from "../../scripts/launch-browser.js";
import { ROOT } from "../cli/run.js";
import type { Served } from "../service/serving.js";

interface Server {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Serves the built page as `npm run demo` does, with its models or those of a folder. */
async function startDemo(models: string | undefined): Promise<Server> {
  const args = [join(ROOT, "scripts/demo.js"), "--no-build", "--no-open"];
  if (models !== undefined) args.push("--models", models);
  const demo = spawn(process.execPath, args, {
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
  models: () => string | undefined | Promise<string>,
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
