/** The manifests in examples/kubernetes: every field is one that Kubernetes knows, of its type, and every flag is ours. */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { COMMANDS } from "../../src/cli/commands.js";
import { ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const load = createRequire(import.meta.url);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Record<string, unknown>;
}

function read(name: string): Manifest[] {
  const text = readFileSync(join(ROOT, "examples/kubernetes", name), "utf8");
  return parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as Manifest;
  });
}

/** What Kubernetes' own schema says of a manifest, as kubernetes-models compiles it; it lets unknown fields pass. */
function schemaProblem({ apiVersion, kind, ...rest }: Manifest): string {
  const Model = load(`kubernetes-models/${apiVersion}/${kind}`)[kind];
  try {
    new Model(rest).validate();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

/** By the types that kubernetes-models makes from the same schema: unknown fields are errors. */
function typeProblems(manifests: readonly Manifest[]): string {
  const lines = manifests.map(({ apiVersion, kind, ...rest }, index) => {
    const types = join(ROOT, "node_modules/kubernetes-models", apiVersion, `${kind}.js`);
    return `import type { I${kind} as Type${index} } from ${JSON.stringify(types)};
export const manifest${index}: Type${index} = ${JSON.stringify({ apiVersion, kind, ...rest }, null, 1)};\n`;
  });
  const file = join(folder, "manifests.ts");
  writeFileSync(file, lines.join(""));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--types", ""];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler"];
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...modules, file], {
    encoding: "utf8",
  });
  return stdout;
}

const FILES = ["work.yaml", "gather.yaml"];

test("every field is one of Kubernetes, and an unknown one would be found", () => {
  const all = FILES.flatMap(read);
  expect(typeProblems(all)).toBe("");
  const [job] = all.filter(({ spec }) => "completions" in spec) as [Manifest];
  const wrong = (change: object) => typeProblems([{ ...job, ...change }]);
  expect(wrong({ spec: { ...job.spec, backofLimitPerIndex: 3 } })).toContain("backofLimitPerIndex");
  expect(wrong({ metdata: {} })).toContain("metdata");
  const containers = [{ name: "bracken", imag: "bracken" }];
  const spec = { ...job.spec, template: { spec: { containers } } };
  expect(wrong({ spec })).toContain("imag");
});

test("values are as Kubernetes' schema wants them, and wrong ones would be found", () => {
  const all = FILES.flatMap(read);
  for (const manifest of all) expect(schemaProblem(manifest)).toBe("");
  const [job] = all.filter(({ spec }) => "completions" in spec) as [Manifest];
  const wrong = (spec: object) => schemaProblem({ ...job, spec: { ...job.spec, ...spec } });
  expect(wrong({ completions: "400" })).toContain("completions must be integer");
  expect(wrong({ completions: 2 ** 40 })).toContain('completions must match format "int32"');
  expect(wrong({ completionMode: "indexed" })).toContain("completionMode must be equal to one of");
  expect(wrong({ template: undefined })).toContain("required property template");
  const rules = [{ action: "Ignore", onPodConditions: [{ status: "True" }] }];
  expect(wrong({ podFailurePolicy: { rules } })).toContain("required property type");
});

test("retries are per index, and what cannot succeed is not retried", () => {
  const { spec } = read("work.yaml").find(({ kind }) => kind === "Job") as Manifest;
  expect(spec).toMatchObject({ completionMode: "Indexed", backoffLimitPerIndex: 3 });
  // Kubernetes requires this of Jobs with a policy for failures.
  expect(spec).toMatchObject({ template: { spec: { restartPolicy: "Never" } } });
});

test.each(FILES)("%s calls commands with flags that they have", async (name) => {
  for (const { kind, spec } of read(name)) {
    if (kind !== "Job") continue;
    const { template } = spec as { template: { spec: { containers: { args: string[] }[] } } };
    for (const { args } of template.spec.containers) {
      const entry = COMMANDS.find((each) => each.name === args[0]);
      const command = new Command();
      (await entry?.load())?.build(command);
      let called = false;
      command.exitOverride().action(() => {
        called = true;
      });
      await command.parseAsync(args.slice(1), { from: "user" });
      expect(called).toBe(true);
    }
  }
});
