/** Turns the findings of a JSON Schema into messages that name the field and say what is expected. */

import type { FastifyError } from "fastify";

type Problem = NonNullable<FastifyError["validation"]>[number] & {
  // As Ajv adds them when it is verbose.
  readonly data?: unknown;
  readonly schema?: unknown;
  readonly parentSchema?: { readonly properties?: Readonly<Record<string, unknown>> };
};

export function describeValidation(problems: readonly Problem[], context = "body"): string {
  const problem = problems.find(({ keyword }) => keyword === "oneOf") ?? problems[0];
  if (!problem) return `${context} is not as it should be`;
  const where = `${context}${problem.instancePath}`;
  const { params, data } = problem;
  switch (problem.keyword) {
    case "oneOf":
      return `${where} ${describeChoice(problem)}`;
    case "type":
      return `${where} must be ${[params.type].flat().join(" or ")}, not ${typeName(data)}`;
    case "enum":
      return `${where} must be one of ${[params.allowedValues].flat().join(", ")}`;
    case "additionalProperties": {
      const fields = Object.keys(problem.parentSchema?.properties ?? {}).join(", ");
      return `${where} has no field ${JSON.stringify(params.additionalProperty)}; its fields are ${fields}`;
    }
    case "required":
      return `${where} must have ${params.missingProperty}`;
    default:
      return `${where} ${problem.message}`;
  }
}

/** In our schemas, `oneOf` says that a request must have exactly one of several fields. */
function describeChoice({ schema, data }: Problem): string {
  const names = (schema as { required: readonly string[] }[]).flatMap(({ required }) => required);
  const expected = `exactly one of ${names.join(", ")}`;
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return `must be an object with ${expected}, not ${typeName(data)}`;
  }
  const given = names.filter((name) => name in data);
  return `must have ${expected}, not ${given.length === 0 ? "none" : given.join(" and ")}`;
}

function typeName(data: unknown): string {
  if (data === null) return "null";
  return Array.isArray(data) ? "array" : typeof data;
}
