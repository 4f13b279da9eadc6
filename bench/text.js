/**
 * Accuracy and speed of the sentence splitter and the tokeniser, against tokens that people made.
 *
 *   npm run build && node bench/text.js [LANGUAGE...]
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
import { findLanguage } from "../dist/languages/index.js";
import {
  goldSentence,
  layOutGold,
  sentenceAccuracy,
  tokenAccuracy,
} from "../dist/text/accuracy.js";
import { splitSentences, tokenise } from "../dist/text/index.js";
import { readTreebank } from "../dist/treebanks/read-treebank.js";

const DATA =
  process.env.BRACKEN_DATA ?? fileURLToPath(new URL("../../shared/data", import.meta.url));
/** About the length of an encyclopaedia article, which is what goes through in bulk. */
const ARTICLE_LENGTH = 20_000;
/** The answers come without documents; some libraries cannot take all of it at once. */
const DOCUMENT_SENTENCES = 50;

/** One document per file. */
async function readTrees(folder) {
  const documents = [];
  for (const file of readdirSync(folder).sort()) {
    if (!/\.(?:mrg|tree|psd|gld)$/.test(file)) continue;
    const document = [];
    for await (const { tree } of readTreebank(join(folder, file))) {
      document.push(goldSentence(tree));
    }
    documents.push(document);
  }
  return documents;
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
  ["WSJ sample", "en", "treebanks/wsj-sample-0001-0099", readTrees],
  ["QA-SRL orig-dev", "en", "answers/qasrl-bank-2.1/orig-dev.jsonl.gz", readAnswers],
  ["CRAFT half", "en", "treebanks/craft-a", readTrees],
  ["ICON", "id", "treebanks/id-icon-dev", readTrees],
  ["Greynir", "is", "treebanks/is-greynir-dev", readTrees],
  ["Keyaki", "ja", "treebanks/ja-keyaki-dev", readTrees],
  ["MCTB", "zh", "treebanks/zh-mctb-dev", readTrees],
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

function segment(granularity, code) {
  const segmenter = new Intl.Segmenter(code, { granularity });
  return (text) => {
    const strings = [];
    // One by one: each segment holds a copy of the text.
    for (const part of segmenter.segment(text)) strings.push(part.segment);
    return locate(text, strings);
  };
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

/** All the libraries are for English. */
async function competitors() {
  const found = [];
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

function sentenceTexts(document, language) {
  return document.map((sentence) => layOutGold(sentence, language).text);
}

function printed(documents) {
  return documents.map((document) => sentenceTexts(document).join(" ")).join("\n\n");
}

function measureCorpus(title, code, documents, libraries) {
  const language = findLanguage(code);
  const icu = { splitter: segment("sentence", code), tokeniser: segment("word", code) };
  const others = [["Intl.Segmenter", icu], ...(code === "en" ? libraries : [])];
  const sentences = documents.flat();
  const texts = documents.map((document) => sentenceTexts(document, language));
  console.log(`${title} (${code}): ${documents.length} documents, ${sentences.length} sentences`);
  report("tokens   ", "bracken", () => tokenAccuracy(sentences, language));
  for (const [name, { tokeniser }] of others) {
    if (tokeniser) report("tokens   ", name, () => tokenAccuracy(sentences, language, tokeniser));
  }
  report("sentences", "bracken", () => sentenceAccuracy(texts, language));
  for (const [name, { splitter }] of others) {
    if (splitter) report("sentences", name, () => sentenceAccuracy(texts, language, splitter));
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

const wanted = process.argv.slice(2);
const corpora = [];
for (const [title, code, path, read] of CORPORA) {
  if (wanted.length > 0 && !wanted.includes(code)) continue;
  const place = join(DATA, path);
  if (existsSync(place)) corpora.push([title, code, await read(place)]);
  else
    console.log(`${title}: no data at ${place}; set BRACKEN_DATA to the folder that holds ${path}`);
}
const english = corpora.filter(([, code]) => code === "en");
// Speed first: afterwards the heap is full of what the other libraries left.
if (english.length > 0)
  measureSpeed(english.map(([, , documents]) => printed(documents)).join("\n\n"));
const libraries = await competitors();
for (const [title, code, documents] of corpora) measureCorpus(title, code, documents, libraries);
