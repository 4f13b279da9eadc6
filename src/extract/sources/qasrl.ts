/**
 * QA-SRL Bank 2.x and QANom: one sentence per line, verbs with questions, questions with the answer
 * spans of several annotators. Valid judgements only.
 *
 * With `predicates`, the verb gives two further kinds of bracket. "predicate": the verb with what
 * was asked of it, from its token to the end of the furthest answer right of it, over questions in
 * which the wh-word does not stand for the subject. "predication": what is said of the subject,
 * from the end of a subject's answer left of the verb to the end of the predicate, where no more
 * than four tokens and no punctuation lie between subject and verb. Where a predicate ends is
 * decided by answers that most of a question's annotators gave.
 *
 * With `clauses` also "clause": the subject with its predication; and from each auxiliary between
 * subject and verb, or from the verb's "to", to the end of the predicate ("have | been | recovering"),
 * which are predications, too. These, and all predications, are then left out where the clause may go
 * on: nobody may have been asked for the rest of it.
 */

import { mayEndAt, nextEnd } from "../../brackets/clause-end.js";
import { type Question as AskedQuestion, questionFromSlots } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import type { Place } from "../../errors.js";
import { english } from "../../languages/english.js";
import { type Grammar, grammarOf } from "../../languages/index.js";
import {
  type AnswerSource,
  checkSpan,
  field,
  isList,
  isObject,
  isString,
  isTokenList,
  parseJson,
  type SourceContext,
} from "./source.js";

export const qasrl: AnswerSource = {
  name: "qasrl",
  summary: "QA-SRL Bank 2.x and QANom, JSON lines",
  extensions: [".jsonl"],
  recognises: (head) => /^\s*\{[^\n]{0,4000}"sentenceTokens"/.test(head),
  read: async function* (inputs, context) {
    const own = { ...context, names: new Map<string, string>() };
    for (const input of inputs) {
      for await (const { text, line } of input.lines()) {
        if (text.trim() === "") continue;
        const place = { file: input.name, line };
        const sentence = context.attempt(() => readSentence(text, place, own));
        if (sentence) yield sentence;
      }
    }
  },
};

interface ReadContext extends SourceContext {
  /** The names of annotators: there are few, so brackets share them. */
  readonly names: Map<string, string>;
}

function readSentence(line: string, place: Place, context: ReadContext): RawSentence {
  const sentence = parseJson(line, place);
  const tokens = field(sentence, "sentenceTokens", isTokenList, place);
  const id = field(sentence, "sentenceId", isString, place);
  const brackets: RawBracket[] = [];
  // The predicates of QANom are nouns: with what belongs to them they are no verb phrases.
  const isNominal = isObject(sentence) && "nonPredicates" in sentence;
  const grammar = context.clauses ? grammarOf(context.language ?? english) : undefined;
  const entries = Object.values(field(sentence, "verbEntries", isObject, place));
  const verbs = new Set(
    grammar ? entries.map((verb) => field(verb, "verbIndex", isIndex, place)) : [],
  );
  for (const verb of entries) {
    const questions = readQuestions(verb, tokens.length, place, context);
    for (const { answers, asked } of questions) {
      for (const { begin, end, annotators } of answers) {
        const answer = { begin, end, kind: "answer", annotators };
        brackets.push(asked ? { ...answer, questions: [asked] } : answer);
      }
    }
    if (context.predicates && !(context.labels && isNominal)) {
      const index = field(verb, "verbIndex", isIndex, place);
      checkSpan(index, index + 1, tokens.length, place);
      const found = findPredicate(index, questions, tokens);
      if (!found && context.labels) {
        brackets.push({ begin: index, end: index + 1, kind: "predicate" });
      }
      if (found) {
        brackets.push(
          ...(grammar ? clauseBrackets(found, tokens, verbs, grammar) : predicateBrackets(found)),
        );
      }
    }
  }
  return { tokens, id, source: "qasrl", brackets };
}

interface Answer {
  readonly begin: number;
  readonly end: number;
  readonly annotators: readonly string[];
}

interface Question {
  readonly asked: AskedQuestion | undefined;
  /** Whether the wh-word stands for the subject. */
  readonly ofSubject: boolean;
  readonly judgements: number;
  readonly answers: readonly Answer[];
}

function readQuestions(
  verb: unknown,
  tokens: number,
  place: Place,
  context: ReadContext,
): Question[] {
  const questions = Object.values(field(verb, "questionLabels", isObject, place));
  return questions.map((question) => {
    const judgements = field(question, "answerJudgments", isList, place);
    const answers = new Map<string, Answer>();
    for (const judgement of judgements) {
      if (!isObject(judgement) || judgement.isValid !== true) {
        context.drop("judgements that call the question invalid");
        continue;
      }
      const annotator = sharedName(String(judgement.sourceId), context);
      for (const span of field(judgement, "spans", isList, place)) {
        const [begin, end] = span as [number, number];
        checkSpan(begin, end, tokens, place);
        const key = `${begin},${end}`;
        const known = answers.get(key)?.annotators ?? [];
        answers.set(key, { begin, end, annotators: [...known, annotator] });
      }
    }
    const slots = (question as Record<string, unknown>).questionSlots;
    const ofSubject = isObject(slots) && slots.subj === "_";
    const asked = context.labels && isObject(slots) ? questionFromSlots(slots) : undefined;
    return { asked, ofSubject, judgements: judgements.length, answers: [...answers.values()] };
  });
}

function sharedName(name: string, { names }: ReadContext): string {
  const known = names.get(name);
  if (known === undefined) names.set(name, name);
  return known ?? name;
}

const MOST_TOKENS_BETWEEN = 4;

interface Predicate {
  readonly verb: number;
  /** Where the answers about the verb end, and who gave them. */
  readonly end: number;
  readonly annotators: readonly string[];
  /** Answers that stand for the subject, close before the verb. */
  readonly subjects: readonly Answer[];
}

function findPredicate(
  verb: number,
  questions: readonly Question[],
  tokens: readonly string[],
): Predicate | undefined {
  const furthest = questions
    .filter(({ ofSubject }) => !ofSubject)
    .flatMap(({ answers, judgements }) =>
      answers.filter(({ begin, annotators }) => begin > verb && annotators.length > judgements / 2),
    )
    .reduce<Answer | undefined>(
      (best, each) => (best && best.end >= each.end ? best : each),
      undefined,
    );
  if (!furthest) return undefined;
  const subjects = questions
    .filter(({ ofSubject }) => ofSubject)
    .flatMap(({ answers }) => answers)
    .filter(({ end }) => end <= verb && verb - end <= MOST_TOKENS_BETWEEN)
    .filter(({ end }) => !tokens.slice(end, verb).some(isPunctuation));
  return { verb, end: furthest.end, annotators: furthest.annotators, subjects };
}

function predicateBrackets({ verb, end, annotators, subjects }: Predicate): RawBracket[] {
  return [
    { begin: verb, end, kind: "predicate", annotators },
    ...subjects.map((subject) => ({ begin: subject.end, end, kind: "predication", annotators })),
  ];
}

function clauseBrackets(
  found: Predicate,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
  grammar: Grammar,
): RawBracket[] {
  const { verb, annotators } = found;
  const isClosed = mayEndAt(found.end, tokens, grammar);
  const next = isClosed ? found : nextEnd(found.end, { tokens, verbs, grammar });
  if (!next || ("isJoined" in next && next.isJoined)) {
    return predicateBrackets({ ...found, subjects: [] });
  }
  const { end } = next;
  const subjects = found.subjects
    .filter((each) => !found.subjects.some(contains(each)))
    // The subject goes on: "the people | in the town left".
    .filter((each) => !grammar.prepositions.has(tokens[each.end]));
  const first = Math.min(verb - 1, ...subjects.map((subject) => subject.end + 1));
  const auxiliaries: RawBracket[] = [];
  for (let begin = Math.max(0, first); begin < verb; begin++) {
    if (grammar.auxiliaries.has(tokens[begin]))
      auxiliaries.push({ begin, end, kind: "predication", annotators });
  }
  return [
    { begin: verb, end, kind: "predicate", annotators },
    ...subjects.map((subject) => {
      const begin = afterAdverbs(subject.end, verb, tokens, grammar);
      return { begin, end, kind: "predication", annotators };
    }),
    ...auxiliaries,
    ...subjects.map(({ begin }) => ({ begin, end, kind: "clause", annotators })),
  ];
}

/** In "he | never | left town" the adverb belongs to the clause. */
function afterAdverbs(
  begin: number,
  verb: number,
  tokens: readonly string[],
  { adverbs }: Grammar,
): number {
  let at = begin;
  while (at < verb && adverbs.has(tokens[at])) at += 1;
  return at;
}

/** Of "Mao" and "Mao 's picture" the shorter is no subject. */
function contains(inner: Answer): (outer: Answer) => boolean {
  return ({ begin, end }) =>
    begin <= inner.begin && inner.end <= end && end - begin > inner.end - inner.begin;
}

function isPunctuation(token: string): boolean {
  return !/[\p{L}\p{N}]/u.test(token) || /^-[LR][RSC]B-$/.test(token);
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value);
}
