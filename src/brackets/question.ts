/** Questions whose answers are brackets. What a question asks for says what the bracket may be. */

/** The slots of a QA-SRL question. A question in free text has only its wh-word. */
export interface Question {
  /** The wh-word, in lower case: `who`, `how long`. */
  readonly wh: string;
  /** The auxiliary: `did`. */
  readonly aux?: string | undefined;
  /** The subject: `someone`. */
  readonly subj?: string | undefined;
  /** The verb, in the form that the question has. */
  readonly verb?: string | undefined;
  /** The object: `something`. */
  readonly obj?: string | undefined;
  /** The preposition: `with`. */
  readonly prep?: string | undefined;
  /** The second object, or the object of the preposition. */
  readonly obj2?: string | undefined;
}

const SLOTS = ["wh", "aux", "subj", "verb", "obj", "prep", "obj2"] as const;

export function isQuestion(value: unknown): value is Question {
  if (typeof value !== "object" || value === null) return false;
  const isSlot = ([slot, word]: [string, unknown]) =>
    SLOTS.some((known) => known === slot) && typeof word === "string";
  return typeof (value as Partial<Question>).wh === "string" && Object.entries(value).every(isSlot);
}

/** From slots, of which empty ones are "_" or "". Undefined without a wh-word. */
export function questionFromSlots(slots: Readonly<Record<string, unknown>>): Question | undefined {
  const filled = SLOTS.flatMap((slot): [string, string][] => {
    const word = slots[slot];
    return typeof word === "string" && word !== "" && word !== "_"
      ? [[slot, word.toLowerCase()]]
      : [];
  });
  const question = Object.fromEntries(filled);
  return isQuestion(question) ? question : undefined;
}

const WH =
  /\b(how (?:long|much|many|often|far|old)|who|whom|whose|what|which|where|when|why|how)\b/i;

/** The first wh-word of a question; undefined if it has none. */
export function questionFromText(text: string): Question | undefined {
  const wh = WH.exec(text)?.[1];
  return wh === undefined ? undefined : { wh: wh.toLowerCase() };
}
