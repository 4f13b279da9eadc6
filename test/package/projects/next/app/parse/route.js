import { loadParser, toPenn } from "bracken";

const loading = loadParser();

export async function POST(request) {
  const parser = await loading;
  const { sentences } = await parser.parseText(await request.text());
  return Response.json(sentences.map(({ tree }) => toPenn(tree)));
}
