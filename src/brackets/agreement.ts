/**
 * How far people agree, beyond what chance would give: Fleiss' kappa over all of them, which for two people who answered
 * the same questions is Scott's pi, and Cohen's kappa for each two.
 */

/** What each person said about one thing: yes or no. */
export type Said = ReadonlyMap<string, boolean>;

/** The agreement of a group of people. */
export interface GroupAgreement {
  /** Questions that two or more people answered. */
  readonly questions: number;
  /** The share of equal answers among all pairs of answers, as a mean over the questions; undefined without questions. */
  readonly share: number | undefined;
  /** The same beyond chance; undefined if all answers are alike, so that nothing can be told from chance. */
  readonly kappa: number | undefined;
}

/** The agreement of two people. */
export interface PairAgreement extends GroupAgreement {
  readonly people: readonly [string, string];
}

/** How far people agree. */
export interface Agreement extends GroupAgreement {
  /** For each two people who answered the same questions. */
  readonly pairs: readonly PairAgreement[];
}

/** The agreement on questions; those that fewer than two people answered do not count. */
export function agreementOf(questions: readonly Said[]): Agreement {
  const shared = questions.filter(({ size }) => size > 1);
  const answers = shared.flatMap((said) => [...said.values()]);
  const yes = shareOf(answers, (each) => each) ?? 0;
  const share = mean(shared.map(equalPairs));
  const kappa = beyondChance(share, yes ** 2 + (1 - yes) ** 2);
  return { questions: shared.length, share, kappa, pairs: pairsOf(shared) };
}

/** The share of equal pairs among the answers to one question. */
function equalPairs(said: Said): number {
  const yes = [...said.values()].filter((each) => each).length;
  const no = said.size - yes;
  return (yes * (yes - 1) + no * (no - 1)) / (said.size * (said.size - 1));
}

function pairsOf(shared: readonly Said[]): PairAgreement[] {
  const people = [...new Set(shared.flatMap((said) => [...said.keys()]))];
  return people.flatMap((first, at) =>
    people.slice(at + 1).flatMap((second) => {
      const both = shared.flatMap((said): (readonly [boolean, boolean])[] => {
        const [one, other] = [said.get(first), said.get(second)];
        return one === undefined || other === undefined ? [] : [[one, other]];
      });
      return both.length === 0 ? [] : [{ people: [first, second] as const, ...cohen(both) }];
    }),
  );
}

/** Each person has a share of "yes" of their own, and chance is that both say the same. */
function cohen(both: readonly (readonly [boolean, boolean])[]): GroupAgreement {
  const share = shareOf(both, ([one, other]) => one === other);
  const first = shareOf(both, ([one]) => one) ?? 0;
  const second = shareOf(both, ([, other]) => other) ?? 0;
  const chance = first * second + (1 - first) * (1 - second);
  return { questions: both.length, share, kappa: beyondChance(share, chance) };
}

function beyondChance(share: number | undefined, chance: number): number | undefined {
  return share === undefined || chance >= 1 ? undefined : (share - chance) / (1 - chance);
}

function shareOf<T>(items: readonly T[], isCounted: (item: T) => boolean): number | undefined {
  return mean(items.map((item) => (isCounted(item) ? 1 : 0)));
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
