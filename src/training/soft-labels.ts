/**
 * Soft labels for distillation: the probabilities that one or several teachers give to the spans of a sentence, as
 * brackets for a student. Each span has the mean of the teachers' marginals and, if they have learnt them, the means
 * of their phrase probabilities and of their label probabilities. Trees that cross people's brackets lose score first, so that people correct the
 * teachers. A student does nearly as well as its teachers together, and learns from sentences that nobody bracketed.
 */

import {
  type Bracket,
  type Bracketing,
  isMultiToken,
  LABEL,
  PHRASE_PROBABILITY,
  SOFT_LABEL,
} from "../brackets/record.js";
import {
  Chart,
  countedCosts,
  meanMatrix,
  phraseIndex,
  phraseProbabilities,
  type SpanMatrix,
  spanIndex,
  spanMarginals,
} from "../chart/index.js";
import { english } from "../languages/english.js";
import type { LabelVotes } from "../languages/labels.js";
import type { SpanModel } from "../model/span-model.js";
import { limitToObjects, limitToOnePhrase, type PhraseBeliefs } from "./correct-phrases.js";
import { type Example, type LabelledSpan, toExample } from "./examples.js";
import { labelledSpans } from "./phrase-targets.js";
import { nameSpan, type TeacherLabels } from "./soft-names.js";

/** Options of `softLabelsOf`. */
export interface SoftLabelOptions {
  /**
   * How much score a tree loses for each bracket that it crosses, and how much the phrase log-odds of a bracket
   * rise (those of a span marked as no phrase fall), and those of a label with a whole vote. With 0 people's
   * brackets are ignored.
   */
  readonly costFactor: number;
  /** Leave out spans with a probability below this number. */
  readonly least: number;
  /** Whether teachers name spans, where they have labels; true by default. If not, the sentence keeps its own votes. */
  readonly labels?: boolean | undefined;
  /**
   * Correct the teachers by what is known of English: a prepositional phrase is no likelier than its object, and
   * only one of the phrases that begin with the same verb or preposition is right.
   */
  readonly english?: boolean | undefined;
}

/** Decimals of a written probability, which is never 0. */
const DIGITS = 3;

/** Spans below this probability get no label: hardly any tree has them. */
const LEAST_NAMED = 0.1;

/** The matrices of one sentence, one of each per teacher that has it. */
interface TeacherViews {
  readonly marginals: SpanMatrix[];
  readonly phrases: SpanMatrix[];
  readonly labels: TeacherLabels[];
}

/** The soft labels of the teachers for each sentence, in order. */
export async function softLabelsOf(
  teachers: readonly SpanModel[],
  sentences: readonly Bracketing[],
  { costFactor, least, labels: namesSpans = true, english: isEnglish }: SoftLabelOptions,
): Promise<Bracketing[]> {
  const chart = new Chart();
  const views = sentences.map((): TeacherViews => ({ marginals: [], phrases: [], labels: [] }));
  const words = sentences.map(({ tokens }) => tokens);
  const examples = sentences.map((sentence) => toExample(sentence));
  const adjustments = examples.map((example) => adjustmentsFor(example, costFactor));
  for (const teacher of teachers) {
    const knowsPhrases = teacher.config.decoding === "phrases";
    const config = namesSpans || isEnglish ? teacher.config.labels : undefined;
    for await (const { index, scores, labels: factors } of teacher.scores(words)) {
      const size = (words[index] as readonly string[]).length;
      const { marginals, phrases, labels } = views[index] as TeacherViews;
      if (config && factors) labels.push({ config, factors });
      const { costs, logOdds } = adjustments[index] as Adjustments;
      const options = { costs, costFactor: -costFactor };
      marginals.push(spanMarginals(scores, size, options, chart).marginals);
      if (knowsPhrases) phrases.push(adjustedPhrases(scores, logOdds, size));
    }
  }
  return sentences.map((sentence, index) => {
    const view = views[index] as TeacherViews;
    const { logOdds } = adjustments[index] as Adjustments;
    const { labelled = [] } = examples[index] as Example;
    const votes = votesOf(labelled);
    const nameOf = ([begin, end]: Bracket) =>
      nameSpan(view.labels, begin, end, votes.get(`${begin},${end}`), costFactor);
    const correct = (beliefs: PhraseBeliefs) => {
      if (isEnglish) correctEnglish(beliefs, nameOf);
    };
    const record = toSoftLabels(sentence, view, { least, logOdds, correct });
    if (!namesSpans || view.labels.length === 0) return withVotes(record, labelled);
    return withNames(record, nameOf);
  });
}

/** The sentence's own votes, by span. */
function votesOf(labelled: readonly LabelledSpan[]): ReadonlyMap<string, LabelVotes> {
  return new Map(labelled.map(({ begin, end, votes }) => [`${begin},${end}`, votes]));
}

/** Adds the votes that the sentence came with. */
function withVotes(record: Bracketing, labelled: readonly LabelledSpan[]): Bracketing {
  if (labelled.length === 0) return record;
  const { brackets, weights = [], kinds = [] } = record;
  return {
    ...record,
    brackets: [...brackets, ...labelled.map(({ begin, end }): Bracket => [begin, end])],
    weights: [...weights, ...labelled.map(() => 1)],
    kinds: [...kinds, ...labelled.map(() => LABEL)],
    labels: [...brackets.map(() => ({})), ...labelled.map(({ votes }) => votes)],
  };
}

/** Adds label probabilities: to spans that trees have, to single words and to the whole sentence. */
function withNames(record: Bracketing, nameOf: (span: Bracket) => LabelVotes): Bracketing {
  const { tokens, brackets, weights = [], kinds = [] } = record;
  const isNamed = (at: number) =>
    kinds[at] === SOFT_LABEL && (weights[at] as number) >= LEAST_NAMED;
  const words = tokens.map((_, at): Bracket => [at, at + 1]);
  const added: Bracket[] = [...words, [0, tokens.length]];
  return {
    ...record,
    brackets: [...brackets, ...added],
    weights: [...weights, ...added.map(() => 1)],
    kinds: [...kinds, ...added.map(() => LABEL)],
    labels: [
      ...brackets.map((span, at) => (isNamed(at) ? nameOf(span) : {})),
      ...added.map(nameOf),
    ],
  };
}

/** How people's brackets and marks change the scores of every teacher. */
interface Adjustments {
  readonly costs: Float32Array;
  /** What is added to the phrase log-odds, by their index. */
  readonly logOdds: ReadonlyMap<number, number>;
}

function adjustmentsFor(example: Example, costFactor: number): Adjustments {
  const size = example.words.length;
  const logOdds = new Map<number, number>();
  for (const [{ begin, end }, isPhrase] of labelledSpans(example)) {
    logOdds.set(phraseIndex(size, begin, end), isPhrase ? costFactor : -costFactor);
  }
  return { costs: countedCosts(example.brackets, size), logOdds };
}

function adjustedPhrases(
  scores: SpanMatrix,
  logOdds: ReadonlyMap<number, number>,
  size: number,
): Float32Array {
  const adjusted = Float32Array.from(scores);
  for (const [at, by] of logOdds) adjusted[at] = (adjusted[at] as number) + by;
  return phraseProbabilities(adjusted, size);
}

/** What decides which probabilities are written, and how they are corrected. */
interface SoftLabelRules extends Pick<SoftLabelOptions, "least">, Pick<Adjustments, "logOdds"> {
  correct(beliefs: PhraseBeliefs): void;
}

function correctEnglish(beliefs: PhraseBeliefs, nameOf: (span: Bracket) => LabelVotes): void {
  const { grammar, heads } = english;
  if (!grammar || !heads) return;
  limitToObjects(beliefs, grammar);
  limitToOnePhrase(beliefs, { grammar, heads, labelsOf: (begin, end) => nameOf([begin, end]) });
}

function toSoftLabels(
  { tokens, source, id, complete }: Bracketing,
  { marginals, phrases }: TeacherViews,
  { least, correct, logOdds }: SoftLabelRules,
): Bracketing {
  const size = tokens.length;
  const mean = meanMatrix(marginals, size);
  const spans = [...spansAbove(least, mean, size)];
  const weightsIn = (matrix: SpanMatrix) =>
    spans.map(([begin, end]) => rounded(matrix[spanIndex(size, begin, end)] as number));
  const labels = { brackets: spans, weights: weightsIn(mean), kinds: spans.map(() => SOFT_LABEL) };
  const sentence = { tokens, source, id, ...(complete ? { complete } : {}) };
  if (phrases.length === 0) return { ...sentence, ...labels };
  const phrase = meanMatrix(phrases, size);
  const isPhrase = (begin: number, end: number) =>
    (logOdds.get(phraseIndex(size, begin, end)) ?? 0) > 0;
  correct({ tokens, marginals: mean, phrases: phrase, isPhrase });
  return {
    ...sentence,
    brackets: [...spans, ...spans],
    weights: [...labels.weights, ...weightsIn(phrase)],
    kinds: [...labels.kinds, ...spans.map(() => PHRASE_PROBABILITY)],
  };
}

function rounded(probability: number): number {
  return Math.max(10 ** -DIGITS, Number(probability.toFixed(DIGITS)));
}

function* spansAbove(least: number, matrix: SpanMatrix, size: number): Generator<Bracket> {
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      const bracket: Bracket = [begin, end];
      const isLikely = (matrix[spanIndex(size, begin, end)] as number) >= least;
      if (isLikely && isMultiToken(bracket, size)) yield bracket;
    }
  }
}
