/**
 * Accuracy and speed of the sentence splitter and the tokeniser, against tokens that people made.
 *
 *   npm run build && node bench/text.js
 *
 * The data folder is BRACKEN_DATA, or ../shared/data beside the repository. With BRACKEN_COMPARE
 * naming a folder in whose node_modules other libraries are installed, those found there are
 * measured too; Intl.Segmenter always is.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import {
  goldSentence,
  layOutGold,
  sentenceAccuracy,
  tokenAccuracy,
} from "../dist/text/accuracy.js";
import { splitSentences, tokenise } from "../dist/text/index.js";
import { parsePenn } from "../dist/trees/index.js";

const DATA =
  process.env.BRACKEN_DATA ?? fileURLToPath(new URL("../../shared/data", import.meta.url));
/** About the length of an encyclopaedia article, which is what goes through in bulk. */
const ARTICLE_LENGTH = 20_000;
/** The answers come without documents; some libraries cannot take all of it at once. */
const DOCUMENT_SENTENCES = 50;

function readTreebank(folder) {
  return readdirSync(folder)
    .filter((name) => /\.(?:mrg|tree)$/.test(name))
    .sort()
    .map((file) => parsePenn(readFileSync(join(folder, file), "utf8"), { file }).map(goldSentence));
}

function readAnswers(file) {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  const sentences = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).sentenceTokens.map((word) => [word]));
  const documents = [];
  for (let at = 0; at < sentences.length; at += DOCUMENT_SENTENCES) {
    documents.push(sentences.slice(at, at + DOCUMENT_SENTENCES));
  }
  return documents;
}

const CORPORA = [
  ["WSJ sample", "treebanks/wsj-sample-0001-0099", readTreebank],
  ["QA-SRL orig-dev", "answers/qasrl-bank-2.1/orig-dev.jsonl.gz", readAnswers],
  ["CRAFT half", "treebanks/craft-a", readTreebank],
];

/** Places of strings in the text that they were cut from, for libraries that give no offsets. */
function locate(text, strings) {
  let from = 0;
  return strings.flatMap((string) => {
    const trimmed = string.trim();
    const begin = trimmed === "" ? -1 : text.indexOf(trimmed, from);
    if (begin < 0) return [];
    from = begin + trimmed.length;
    return [{ begin, end: from }];
  });
}

function segment(granularity) {
  const segmenter = new Intl.Segmenter("en", { granularity });
  return (text) =>
    locate(
      text,
      [...segmenter.segment(text)].map((part) => part.segment),
    );
}

/** Name, package, and how to get a splitter and a tokeniser out of it. */
const LIBRARIES = [
  [
    "sentence-splitter",
    (library) => ({
      splitter: (text) =>
        library
          .split(text)
          .filter(({ type }) => type === "Sentence")
          .map(({ range }) => ({ begin: range[0], end: range[1] })),
    }),
  ],
  ["sbd", (library) => ({ splitter: (text) => locate(text, library.default.sentences(text)) })],
  [
    "compromise",
    (library) => ({
      splitter: (text) => locate(text, library.default.tokenize(text).sentences().out("array")),
    }),
  ],
  [
    "wink-nlp-utils",
    (library) => ({
      splitter: (text) => locate(text, library.default.string.sentences(text)),
      tokeniser: (text) => locate(text, library.default.string.tokenize(text)),
    }),
  ],
  [
    "natural",
    (library) => {
      const tokeniser = new library.default.TreebankWordTokenizer();
      const splitter = new library.default.SentenceTokenizer([
        "Mr.",
        "Mrs.",
        "Dr.",
        "U.S.",
        "Inc.",
      ]);
      return {
        splitter: (text) => locate(text, splitter.tokenize(text)),
        tokeniser: (text) => locate(text, tokeniser.tokenize(text)),
      };
    },
  ],
  [
    "@stdlib/nlp-sentencize",
    (library) => ({ splitter: (text) => locate(text, library.default(text)) }),
  ],
  [
    "@stdlib/nlp-tokenize",
    (library) => ({ tokeniser: (text) => locate(text, library.default(text)) }),
  ],
];

async function competitors() {
  const found = [["Intl.Segmenter", { splitter: segment("sentence"), tokeniser: segment("word") }]];
  if (!process.env.BRACKEN_COMPARE) return found;
  const { resolve } = createRequire(join(process.env.BRACKEN_COMPARE, "package.json"));
  for (const [name, prepare] of LIBRARIES) {
    try {
      found.push([name, prepare(await import(pathToFileURL(resolve(name)).href))]);
    } catch (error) {
      console.log(`${name} is left out: ${error.message.split("\n")[0]}`);
    }
  }
  return found;
}

function describe({ precision, recall, f1 }) {
  const percent = (share) => (100 * share).toFixed(2).padStart(6);
  return `precision ${percent(precision)}  recall ${percent(recall)}  F1 ${percent(f1)}`;
}

function report(what, name, measure) {
  const start = performance.now();
  const agreement = measure();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`  ${what} ${name.padEnd(24)} ${describe(agreement)}  (${seconds} s)`);
}

function sentenceTexts(document) {
  return document.map((sentence) => layOutGold(sentence).text);
}

function printed(documents) {
  return documents.map((document) => sentenceTexts(document).join(" ")).join("\n\n");
}

function measureCorpus(title, documents, others) {
  const sentences = documents.flat();
  const texts = documents.map(sentenceTexts);
  console.log(`${title}: ${documents.length} documents, ${sentences.length} sentences`);
  report("tokens   ", "bracken", () => tokenAccuracy(sentences));
  for (const [name, { tokeniser }] of others) {
    if (tokeniser) report("tokens   ", name, () => tokenAccuracy(sentences, tokeniser));
  }
  report("sentences", "bracken", () => sentenceAccuracy(texts));
  for (const [name, { splitter }] of others) {
    if (splitter) report("sentences", name, () => sentenceAccuracy(texts, splitter));
  }
}

function measureSpeed(text) {
  const articles = [];
  for (let at = 0; at < text.length; at += ARTICLE_LENGTH) {
    // Through bytes and back, so that an article is a string of its own, not a slice of the whole.
    articles.push(Buffer.from(text.slice(at, at + ARTICLE_LENGTH)).toString("utf8"));
  }
  const bytes = Buffer.byteLength(text);
  for (const round of ["cold", "warm", "warm"]) {
    const start = performance.now();
    let tokens = 0;
    for (const article of articles) {
      tokens += tokenise(article, { sentences: splitSentences(article) }).length;
    }
    const speed = bytes / 1000 / (performance.now() - start);
    console.log(`${round}: ${speed.toFixed(1)} MB/s split and tokenised, ${tokens} tokens`);
  }
}

const corpora = [];
for (const [title, path, read] of CORPORA) {
  const place = join(DATA, path);
  if (existsSync(place)) corpora.push([title, read(place)]);
  else
    console.log(`${title}: no data at ${place}; set BRACKEN_DATA to the folder that holds ${path}`);
}
// Speed first: afterwards the heap is full of what the other libraries left.
if (corpora.length > 0)
  measureSpeed(corpora.map(([, documents]) => printed(documents)).join("\n\n"));
const others = await competitors();
for (const [title, documents] of corpora) measureCorpus(title, documents, others);
