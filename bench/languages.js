/**
 * Which language detector tells the languages that bracken has rules for: on whole sentences, on their first words,
 * on languages without rules, and on what is no language at all.
 *
 *   npm run build && node bench/languages.js [SENTENCES] [BRACKETINGS]
 *
 * SENTENCES is how many sentences of each language are taken, 300 by default. BRACKETINGS is a file of English
 * sentences, from bracken extract: on these and on the WSJ sample, false alarms are counted. The data folder is
 * BRACKEN_DATA, or ../shared/data beside the repository; what is not there is left out. With BRACKEN_COMPARE naming a
 * folder in whose node_modules other detectors are installed, those found there are measured too.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseCode } from "../dist/languages/codes.js";
import { detectLanguage, findLanguage } from "../dist/languages/index.js";
import { goldSentence, layOutGold } from "../dist/text/accuracy.js";
import { layOut } from "../dist/text/detokenise.js";
import { splitSentences, tokenise } from "../dist/text/index.js";
import { readTreebank } from "../dist/treebanks/read-treebank.js";

const DATA =
  process.env.BRACKEN_DATA ?? fileURLToPath(new URL("../../shared/data", import.meta.url));
const WANTED = Number(process.argv[2] ?? 300);

/** A language, and where its sentences are: paragraphs of questions and answers, or a treebank. */
const CORPORA = [
  ["en", "answers/xquad-en/xquad.en.json.gz"],
  ["de", "more/de/xquad.de.json.gz"],
  ["fr", "more/fr/piaf-v1.1.json.gz"],
  ["es", "more/es/xquad.es.json.gz"],
  ["pt", "more/pt/faquad.json.gz"],
  ["it", "more/it/SQuAD_it-test.json.gz"],
  ["id", "more/id/tydiqa-id-dev.json.gz"],
  ["is", "treebanks/is-greynir-dev"],
  ["ja", "treebanks/ja-keyaki-dev"],
  ["zh", "more/zh/xquad.zh.json.gz"],
];

/** Languages without data here: sentences written for this measurement. */
const OTHERS = {
  nl: "De kinderen liepen door het park naar huis. Gisteren heeft mijn broer een nieuwe fiets gekocht.",
  sv: "Barnen gick hem genom parken när det började regna. Min bror köpte en ny cykel i går.",
  da: "Børnene gik hjem gennem parken, da det begyndte at regne. Min bror købte en ny cykel i går.",
  no: "Barna gikk hjem gjennom parken da det begynte å regne. Broren min kjøpte seg ny sykkel i går.",
  fi: "Lapset kävelivät kotiin puiston läpi, kun alkoi sataa. Veljeni osti eilen uuden polkupyörän.",
  pl: "Dzieci wracały do domu przez park, gdy zaczęło padać. Mój brat kupił wczoraj nowy rower.",
  cs: "Děti šly domů přes park, když začalo pršet. Můj bratr si včera koupil nové kolo.",
  hu: "A gyerekek a parkon át mentek haza, amikor eleredt az eső. A bátyám tegnap új biciklit vett.",
  ro: "Copiii mergeau acasă prin parc când a început să plouă. Fratele meu a cumpărat ieri o bicicletă.",
  tr: "Yağmur başladığında çocuklar parktan geçerek eve gidiyorlardı. Kardeşim dün yeni bir bisiklet aldı.",
  vi: "Bọn trẻ đi bộ về nhà qua công viên khi trời bắt đầu mưa. Hôm qua anh tôi mua một chiếc xe đạp mới.",
  ru: "Дети шли домой через парк, когда начался дождь. Мой брат вчера купил новый велосипед.",
  uk: "Діти йшли додому через парк, коли почався дощ. Мій брат учора купив новий велосипед.",
  el: "Τα παιδιά γύριζαν σπίτι μέσα από το πάρκο όταν άρχισε να βρέχει. Ο αδερφός μου αγόρασε ποδήλατο.",
  ar: "كان الأطفال عائدين إلى البيت عبر الحديقة عندما بدأ المطر. اشترى أخي أمس دراجة جديدة.",
  he: "הילדים הלכו הביתה דרך הפארק כשהתחיל לרדת גשם. אחי קנה אתמול אופניים חדשים.",
  hi: "जब बारिश शुरू हुई तब बच्चे पार्क से होकर घर जा रहे थे। मेरे भाई ने कल नई साइकिल खरीदी।",
  th: "เด็กๆ เดินกลับบ้านผ่านสวนสาธารณะตอนที่ฝนเริ่มตก เมื่อวานพี่ชายของฉันซื้อจักรยานคันใหม่",
  ko: "비가 오기 시작했을 때 아이들은 공원을 지나 집으로 가고 있었다. 형은 어제 새 자전거를 샀다.",
};

/** What is no language, or hardly: nothing should be sure of any of it. */
const NO_LANGUAGE = [
  "for (let i = 0; i < n; i++) { sum += a[i] * b[i]; }",
  "SELECT id, name FROM users WHERE id = 17;",
  "npm install --save-dev vitest@4.1.12",
  '{ "a": [1, 2, 3], "b": null }',
  "1,234.56 78.9 % 2026-11-18 12:45",
  "https://example.org/a/b?c=d#e",
  "sha256:9f86d081884c7d659a2feaa0c55ad015",
  "x = (-b + sqrt(b^2 - 4ac)) / 2a",
  "BRCA1 p53 IL-6 TNF-a",
  "ok lol :-)",
  "AAPL GOOG MSFT +1.2 -0.4",
  "C:\\Windows\\System32\\drivers\\etc",
];

/** English of one to six words, as people type it into a parser. */
const SHORT_ENGLISH = [
  [
    "Yes.",
    "No!",
    "Hello",
    "Thanks",
    "Help",
    "Stop",
    "Data",
    "Paris",
    "Angela Merkel",
    "San Francisco",
  ],
  ["He left.", "She ran.", "Time flies.", "Dogs bark.", "I see.", "Good morning", "Go home!"],
  [
    "The dog barked.",
    "Fruit flies like bananas.",
    "Time flies like an arrow.",
    "It rained all day.",
  ],
  ["Colorless green ideas sleep furiously.", "The old man the boats.", "They are cooking apples."],
  ["Visit Los Angeles in December.", "Madame Bovary is a novel.", "Der Spiegel is a magazine."],
  [
    "Pierre Vinken will join the board.",
    "La La Land won six Oscars.",
    "He ate spaghetti al dente.",
  ],
  ["Schadenfreude is a German word.", "Tokyo, Osaka and Kyoto are cities.", "Ja Rule sings."],
  ["the cat sat", "the house", "old bridge", "in the park", "a man in a hat", "New York City"],
].flat();

function paragraphs(file) {
  const { data } = JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));
  return data.flatMap((article) => article.paragraphs.map(({ context }) => context));
}

async function treeTexts(folder, code) {
  const language = findLanguage(code);
  const texts = [];
  for (const file of readdirSync(folder).sort()) {
    for await (const { tree } of readTreebank(join(folder, file))) {
      if (tree) texts.push(layOutGold(goldSentence(tree), language).text);
    }
  }
  return texts;
}

function paragraphTexts(file, code) {
  const language = findLanguage(code);
  return paragraphs(file).flatMap((text) =>
    splitSentences(text, { language }).map(({ begin, end }) => text.slice(begin, end)),
  );
}

/** Sentences of six words and more, from all over the corpus. */
async function readSentences(code, place) {
  const language = findLanguage(code);
  const isFile = place.endsWith(".gz");
  const texts = isFile ? paragraphTexts(place, code) : await treeTexts(place, code);
  const long = texts.filter((text) => tokenise(text, { language }).length >= 6);
  const step = Math.max(1, Math.floor(long.length / WANTED));
  return long.filter((_, index) => index % step === 0).slice(0, WANTED);
}

/** The first words of a sentence, as they are written. */
function firstWords(text, words, language) {
  const tokens = tokenise(text, { language }).filter(({ text: word }) => /\p{L}/u.test(word));
  const last = tokens[words - 1] ?? tokens.at(-1);
  return last ? text.slice(tokens[0].begin, last.end) : text;
}

/** Malay and Indonesian, and the kinds of Chinese, are one for what is done with them. */
const SAME = { ms: "id", zlm: "id", cmn: "zh", nb: "no", nn: "no" };

function toCode(found) {
  const code = found && parseCode(String(found));
  const base = code?.split("-")[0];
  return SAME[base] ?? base;
}

/** The package, the file that is imported, and how to ask it: a code, and whether it is sure. */
const LIBRARIES = [
  [
    "franc",
    "franc",
    ({ franc }) =>
      (text) =>
        sureIfAny(toIso(franc(text))),
  ],
  [
    "franc-min",
    "franc-min",
    ({ franc }) =>
      (text) =>
        sureIfAny(toIso(franc(text))),
  ],
  [
    "franc-all",
    "franc-all",
    ({ franc }) =>
      (text) =>
        sureIfAny(toIso(franc(text))),
  ],
  ["tinyld", "tinyld", tinyld],
  ["tinyld (light)", "tinyld/light", tinyld],
  ["tinyld (heavy)", "tinyld/heavy", tinyld],
  ["eld (extrasmall)", "eld/extrasmall", eld],
  ["eld (small)", "eld/small", eld],
  ["eld (medium)", "eld/medium", eld],
  ["eld (large)", "eld/large", eld],
  [
    "languagedetect",
    "languagedetect",
    ({ default: Detector }) => {
      const detector = new Detector();
      detector.setLanguageType("iso2");
      return (text) => sureIfAny(detector.detect(text, 1)[0]?.[0]);
    },
  ],
  [
    "cld3-asm",
    "cld3-asm",
    async ({ loadModule, default: main }) => {
      const factory = await (loadModule ?? main.loadModule)();
      const detector = factory.create(0, 2000);
      return (text) => {
        const { language, is_reliable: sure } = detector.findLanguage(text);
        return { code: language, sure };
      };
    },
  ],
];

/** With eld (extrasmall) inside. */
async function ours(text) {
  return sureIfAny(await detectLanguage(text));
}

function sureIfAny(code) {
  return { code, sure: code !== undefined };
}

function toIso(code) {
  return code === "und" ? undefined : code;
}

/** It has no word for "not sure"; its readme calls shares near 1 certain. */
function tinyld(module) {
  const { detectAll } = module.detectAll ? module : module.default;
  return (text) => {
    const [first] = detectAll(text);
    return { code: first?.lang, sure: (first?.accuracy ?? 0) > 0.6 };
  };
}

function eld({ eld: detector }) {
  return (text) => {
    const found = detector.detect(text);
    return { code: found.language || undefined, sure: found.isReliable() };
  };
}

async function detectors() {
  const found = [{ name: "bracken", detect: ours }];
  const folder = process.env.BRACKEN_COMPARE;
  if (!folder) return found;
  for (const [name, file, prepare] of LIBRARIES) {
    try {
      const url = resolveModule(folder, file);
      const detect = await prepare(await import(url));
      found.push({ name, detect, ms: importTime(url), bytes: sizeOf(url) });
    } catch (error) {
      console.log(`${name} is left out: ${error.message.split("\n")[0]}`);
    }
  }
  return found;
}

/** As an ES module finds it, which `require.resolve` of packages without CommonJS does not. */
function resolveModule(folder, file) {
  const script = `console.log(import.meta.resolve(${JSON.stringify(file)}))`;
  const options = { cwd: folder, encoding: "utf8" };
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], options);
  const url = stdout.trim();
  if (url === "") throw new Error("it is not installed");
  return url;
}

/** Milliseconds in a process of its own, the median of five. */
function importTime(url) {
  const script = `const t=performance.now();await import(${JSON.stringify(url)});console.log(performance.now()-t)`;
  const run = () =>
    Number(
      spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })
        .stdout,
    );
  return [run(), run(), run(), run(), run()].sort((a, b) => a - b)[2];
}

/** Bytes of the package on disk. */
function sizeOf(url) {
  const path = fileURLToPath(url);
  const [, root] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return root ? folderSize(root) : 0;
}

function folderSize(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? folderSize(path) : statSync(path).size;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Percent right, percent surely right, and percent surely wrong. */
async function rate(cases, detect) {
  let [right, sure, wrong] = [0, 0, 0];
  for (const { text, code } of cases) {
    const found = await detect(text);
    const isRight = toCode(found.code) === code;
    if (isRight) right += 1;
    if (found.sure && isRight) sure += 1;
    if (found.sure && !isRight) wrong += 1;
  }
  return [right, sure, wrong].map((count) => (100 * count) / cases.length);
}

function row(title, rates) {
  const numbers = rates.map((each) => each.toFixed(1).padStart(7)).join("");
  console.log(`  ${title.padEnd(22)}${numbers}`);
}

const LENGTHS = [Number.POSITIVE_INFINITY, 5, 3, 2, 1];

/** The mean over the languages, for sentences and for their first words. */
async function measureLanguages(detect, corpora) {
  for (const words of LENGTHS) {
    const isWhole = words === Number.POSITIVE_INFINITY;
    const sum = [0, 0, 0];
    for (const [code, sentences] of corpora) {
      const language = findLanguage(code);
      const cases = sentences.map((text) => ({
        text: isWhole ? text : firstWords(text, words, language),
        code,
      }));
      const rates = await rate(cases, detect);
      for (const [at, each] of rates.entries()) sum[at] += each;
      if (isWhole) row(code, rates);
    }
    const title = isWhole
      ? "mean of sentences"
      : `mean of ${words} ${words === 1 ? "word" : "words"}`;
    row(
      title,
      sum.map((each) => each / corpora.length),
    );
  }
}

async function measureOthers(detect) {
  const cases = Object.entries(OTHERS).flatMap(([code, text]) =>
    splitSentences(text, { language: findLanguage(code) }).map(({ begin, end }) => ({
      text: text.slice(begin, end),
      code,
    })),
  );
  row("other languages", await rate(cases, detect));
}

async function isAlarm(text, detect) {
  const { code, sure } = await detect(text);
  return sure && toCode(code) !== "en";
}

async function measureAlarms(title, texts, detect) {
  const alarms = [];
  for (const text of texts) if (await isAlarm(text, detect)) alarms.push(text);
  console.log(`  surely not English: ${alarms.length} of ${texts.length}, ${title}`);
  for (const text of alarms.slice(0, 6)) console.log(`    ${text.slice(0, 90)}`);
}

async function measure({ name, detect, ms, bytes }, corpora, english) {
  const cost =
    ms === undefined ? "" : `, import ${ms.toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`\n${name}${cost}\n  ${"percent".padEnd(22)}  right   sure  wrong`);
  if (corpora.length > 0) await measureLanguages(detect, corpora);
  await measureOthers(detect);
  await measureAlarms("short English", SHORT_ENGLISH, detect);
  await measureAlarms("no language", NO_LANGUAGE, detect);
  for (const [title, texts] of english) await measureAlarms(title, texts, detect);
}

/** English one by one and as paragraphs of five sentences. */
function withParagraphs(title, sentences) {
  const paragraphs = [];
  for (let at = 0; at < sentences.length; at += 5) {
    paragraphs.push(sentences.slice(at, at + 5).join(" "));
  }
  return [
    [`sentences of ${title}`, sentences],
    [`paragraphs of ${title}`, paragraphs],
  ];
}

async function readEnglish() {
  const sets = [];
  const wsj = join(DATA, "treebanks/wsj-sample-0001-0099");
  if (existsSync(wsj)) sets.push(...withParagraphs("the WSJ sample", await treeTexts(wsj, "en")));
  const file = process.argv[3];
  if (file === undefined) return sets;
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const texts = lines.map((line) => {
    const { text, tokens } = JSON.parse(line);
    return text ?? layOut(tokens).text;
  });
  return [...sets, ...withParagraphs(file, texts)];
}

const corpora = [];
for (const [code, path] of CORPORA) {
  const place = join(DATA, path);
  if (existsSync(place)) corpora.push([code, await readSentences(code, place)]);
  else
    console.log(`${code}: no data at ${place}; set BRACKEN_DATA to the folder that holds ${path}`);
}
console.log(corpora.map(([code, texts]) => `${code} ${texts.length}`).join(", "));
const english = await readEnglish();
for (const detector of await detectors()) await measure(detector, corpora, english);
