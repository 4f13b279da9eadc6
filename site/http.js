/** The reference of the HTTP interface: the service's own OpenAPI document, as a file and as a page. */

import { PassThrough } from "node:stream";
import { Admission } from "../dist/service/admission.js";
import { buildApp, makeApp } from "../dist/service/app.js";
import { DEFAULT_LIMITS } from "../dist/service/limits.js";
import { packageVersion } from "../dist/version.js";
import { escapeText, table } from "./commands.js";
import { write } from "./stage.js";

/** The document of a service that watches runs and asks questions, so that it has every route. No model is loaded. */
async function openApi() {
  const settings = {
    limits: DEFAULT_LIMITS,
    access: { host: "127.0.0.1", allowHosts: [], cors: [] },
    trustProxy: [],
    quiet: true,
    log: new PassThrough(),
    version: packageVersion(),
  };
  const models = [{ name: "bracken-en", files: [] }];
  const context = {
    ...{ limits: DEFAULT_LIMITS, models, watch: "runs", annotation: {}, files: new Map() },
    metrics: { registry: {} },
  };
  const app = makeApp(settings);
  await buildApp(app, settings, context, new Admission(DEFAULT_LIMITS.body));
  const document = app.swagger();
  await app.close();
  return document;
}

export async function stageHttp(folder) {
  const document = await openApi();
  write(folder, "public/files/openapi.json", `${JSON.stringify(document, null, 2)}\n`);
  const { paths, components } = document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeRoute(method, path, operation)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name}\n\n${describeSchema(schema)}`,
  );
  const parts = [INTRODUCTION, "## Routes\n\n", ...routes, "## Errors\n\n", describeErrors(paths)];
  write(folder, "reference/http.md", [...parts, "## Schemas\n\n", ...schemas].join(""));
}

const isError = (status) => Number(status) >= 400;

/** What each status means, wherever it is answered. */
function describeErrors(paths) {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
  );
  const meanings = new Map(answers.filter(([status]) => isError(status)));
  const rows = [...meanings]
    .sort()
    .map(([status, { description }]) => [status, escapeText(description)]);
  return `The body of each is an [Error](#error).\n\n${table(["status", "meaning"], rows)}`;
}

const INTRODUCTION = `# HTTP interface

This page is made from the OpenAPI document of [the service](../guides/service.md), which a running service has at
\`/openapi.json\`. <a href="../files/openapi.json" download>Download it</a> to generate a client. The routes for runs exist
only if the service was started with \`--watch\`, and those for annotation only if it was started with \`--annotate\`.

`;

function describeRoute(method, path, { summary, parameters = [], requestBody, responses }) {
  const rows = parameters.map(({ name, in: place, required, schema, description = "" }) => [
    `\`${name}\` (${place}${required ? ", required" : ""})`,
    describeType(schema),
    escapeText(description),
  ]);
  const body = contentOf(requestBody);
  const answers = Object.entries(responses)
    .filter(([status]) => !isError(status))
    .map(([status, answer]) => [status, contentOf(answer), escapeText(answer.description ?? "")]);
  const errors = Object.keys(responses).filter(isError);
  return [
    `### ${method.toUpperCase()} ${escapeText(path)}\n\n`,
    summary ? `${escapeText(summary)}.\n\n` : "",
    table(["parameter", "type", "meaning"], rows),
    body ? `Body: ${body}\n\n` : "",
    table(["status", "answer", "meaning"], answers),
    errors.length > 0 ? `[Errors](#errors): ${errors.join(", ")}\n\n` : "",
  ].join("");
}

/** The types of a body, each with its media type. */
function contentOf({ content = {} } = {}) {
  return Object.entries(content)
    .map(([type, { schema }]) => `${schema ? describeType(schema) : "text"} (\`${type}\`)`)
    .join("; ");
}

function describeSchema(schema) {
  const { description, properties, required = [] } = schema;
  const rows = Object.entries(properties ?? {}).map(([name, property]) => [
    `\`${name}\`${required.includes(name) ? ", required" : ""}`,
    describeType(property),
    escapeText(property.description ?? ""),
  ]);
  const type = properties ? "" : `${describeType(schema)}\n\n`;
  return `${description ? `${escapeText(description)}\n\n` : ""}${type}${table(["field", "type", "meaning"], rows)}`;
}

/** A schema in a few words; those that have a name are links. */
function describeType(schema) {
  const { $ref, type, enum: values, const: value, items, anyOf, oneOf } = schema;
  if ($ref) {
    const name = $ref.split("/").at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values) return values.map((each) => `\`${JSON.stringify(each)}\``).join(", ");
  const options = anyOf ?? oneOf;
  if (options && type !== "object") return options.map(describeType).join(" or ");
  if (type === "array") return items ? `list of ${describeType(items)}` : "list";
  return `${[type ?? "any"].flat().join(" or ")}${limits(schema)}`;
}

const LIMITS = {
  minimum: "at least",
  exclusiveMinimum: "above",
  maximum: "at most",
  maxLength: "length at most",
};

function limits(schema) {
  const found = Object.entries(LIMITS)
    .filter(([name]) => schema[name] !== undefined)
    .map(([name, words]) => `${words} ${schema[name]}`);
  return found.length > 0 ? ` (${found.join(", ")})` : "";
}
