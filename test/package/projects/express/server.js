// A route of an Express server. The parser's own worker thread computes, so other requests go on.

import { InputError, loadParser, toPenn } from "bracken";
import express from "express";

const parser = await loadParser();
const app = express();

app.post("/parse", express.text(), async (request, response) => {
  const { sentences } = await parser.parseText(request.body);
  response.json(sentences.map(({ tree }) => toPenn(tree)));
});

app.use((error, _request, response, _next) => {
  response.status(error instanceof InputError ? 400 : 500).json({ error: error.message });
});

const server = app.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/parse`);
});

process.once("SIGTERM", async () => {
  server.close();
  await parser.close();
});
