import type { Browser } from "playwright-core";

/** Starts the browser, with arguments for its command line. */
export function launchBrowser(extra?: readonly string[]): Promise<Browser>;
