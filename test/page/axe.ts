/** What axe-core finds wrong with a page for people who cannot see or use a mouse. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** By all rules, or by those named. */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify(rules ? { runOnly: rules } : {});
  const { violations } = (await page.evaluate(`${AXE}; axe.run(${options})`)) as AxeResult;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
