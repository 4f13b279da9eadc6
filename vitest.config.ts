import { defineConfig } from "vitest/config";

/** Where CI wants the results as JSON, beside what people read. */
const report = process.env.BRACKEN_TEST_REPORT;

export default defineConfig({
  // The sources' own, and not the one of the last build.
  resolve: {
    alias: { "#onnxruntime": new URL("src/tensor/runtime.ts", import.meta.url).pathname },
  },
  test: {
    globalSetup: "test/global-setup.ts",
    include: ["test/**/*.test.ts"],
    coverage: {
      // What tests run in this process; commands, workers and pages run in others and are not counted.
      include: ["src/**"],
      reporter: ["text-summary"],
      thresholds: { lines: 80, functions: 75 },
    },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Machines may be slow: what is waited for comes or does not.
    expect: { poll: { timeout: 20_000 } },
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});
