/** What axe-core finds wrong with a page for people who cannot see or use a mouse. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** By all rules, whatever their impact. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`${AXE}; axe.run()`)) as AxeResult;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
