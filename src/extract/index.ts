/** Brackets from what people published: answers and links to Bracketings. */

export { TextInput } from "../files/input.js";
export { type ExtractOptions, ExtractReport, extract } from "./extract.js";
export { SOURCES } from "./sources/index.js";
export type { Source, SourceContext, SourceOptions } from "./sources/source.js";
