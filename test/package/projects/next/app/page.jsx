import { loadParser, toPenn } from "bracken";

/** Rendered when the app is built. */
export default async function Page() {
  const parser = await loadParser();
  const { sentences } = await parser.parseText("He left.");
  await parser.close();
  return <p>{sentences.map(({ tree }) => toPenn(tree))}</p>;
}
