import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearStatus, StepStatus, showStatus } from "../../src/display/status-line.js";

const terminal = (isTTY: boolean) => {
  let written = "";
  return { isTTY, columns: 10, write: (text: string) => (written += text), shown: () => written };
};

test("a terminal gets lines over each other, as wide as it is; others get nothing", () => {
  const [seen, piped] = [terminal(true), terminal(false)];
  expect(showStatus("0123456789abc", seen)).toBe(true);
  clearStatus(seen);
  expect(seen.shown()).toBe("\r\u001b[K012345678\r\u001b[K");
  expect(showStatus("0123456789abc", piped)).toBe(false);
  clearStatus(piped);
  expect(piped.shown()).toBe("");
});

const { isTTY } = process.stderr;

beforeEach(() => {
  process.stderr.isTTY = false;
});

afterEach(() => {
  process.stderr.isTTY = isTTY;
  vi.restoreAllMocks();
});

test("where nobody watches, steps are told a few times, the last one always", () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const status = new StepStatus(95, 5, 10);
  for (let step = 11; step <= 95; step++) status.show(step, `step ${step}`);
  expect(lines).toEqual(["step 29\n", "step 48\n", "step 67\n", "step 86\n", "step 95\n"]);
});
