/**
 * The numbers of the paper's three tables, as printed there: Shi, İrsoy, Malioutov, Lee, "Learning
 * Syntax from Naturally-Occurring Bracketings", NAACL 2021. All but counts are percentages. BERT-base
 * is the encoder, five random runs each, WSJ section 23 the test set.
 */

export type DataName = "qasrl" | "wikipedia";
export type SettingName = `${DataName}-${"loose" | "strict"}`;

export interface PaperStatistics {
  readonly sentences: number;
  readonly bracketsPerSentence: number;
  readonly singleWord: number;
  readonly constituent: number;
  readonly conflicting: number;
  /** Reference phrases found among the brackets, by label; "total" for all labels. */
  readonly labels: Readonly<Record<string, number>>;
  /** Not in the table, but in the text: sentences that are learnt from. */
  readonly trainingSentences: number;
}

/** Table 1, "Dataset statistics". */
export const TABLE_1: Readonly<Record<DataName, PaperStatistics>> = {
  qasrl: {
    sentences: 1_241,
    bracketsPerSentence: 6.26,
    singleWord: 22.4,
    constituent: 55.2,
    conflicting: 11.8,
    labels: { SBAR: 2.8, NP: 36.8, VP: 6.3, PP: 13.3, ADJP: 8.6, ADVP: 30.5, total: 21.8 },
    trainingSentences: 1_241,
  },
  wikipedia: {
    sentences: 926_077,
    bracketsPerSentence: 0.89,
    singleWord: 35.8,
    constituent: 31.1,
    conflicting: 5.3,
    labels: { SBAR: 0.07, NP: 4.42, VP: 0.07, PP: 0.04, ADJP: 1.48, ADVP: 0.39, total: 1.91 },
    trainingSentences: 332_079,
  },
};

export interface PaperScore {
  readonly mean?: number | undefined;
  readonly max?: number | undefined;
}

/** Table 2, "Sentence-level unlabeled F1 scores": rows that need no learning. */
export const TABLE_2_BASELINES = {
  random: { mean: 19.2, max: 19.5 },
  left: { mean: 8.7 },
  right: { mean: 39.5 },
  "upper-bound": { mean: 84.3 },
} as const satisfies Record<string, PaperScore>;

export interface PublishedSystem extends PaperScore {
  readonly name: string;
  /** Whether a pretrained language model is used: in context, as mere embeddings, or not at all. */
  readonly pretrained: "contextual" | "embeddings" | "none";
}

/** Table 2: other people's systems, which the paper quotes. */
export const TABLE_2_OTHERS: readonly PublishedSystem[] = [
  { name: "URNNG (Kim et al. 2019b)", pretrained: "none", max: 45.4 },
  { name: "PRPN (Shen et al. 2018)", pretrained: "none", mean: 47.3, max: 47.9 },
  { name: "ON (Shen et al. 2019)", pretrained: "none", mean: 48.1, max: 50.0 },
  { name: "DIORA (Drozdov et al. 2019)", pretrained: "embeddings", max: 58.9 },
  { name: "CPCFG (Kim et al. 2019a)", pretrained: "none", mean: 55.2, max: 60.1 },
  { name: "S-DIORA (Drozdov et al. 2020)", pretrained: "embeddings", mean: 57.6, max: 64.0 },
  { name: "Constituency tests (Cao et al. 2020)", pretrained: "contextual", mean: 62.8, max: 65.9 },
  { name: "  + URNNG (Cao et al. 2020)", pretrained: "contextual", mean: 67.9, max: 71.3 },
];

/** Table 2: the paper's own four settings. */
export const TABLE_2_SETTINGS: Readonly<Record<SettingName, PaperScore>> = {
  "qasrl-loose": { mean: 64.5, max: 65.2 },
  "qasrl-strict": { mean: 68.9, max: 70.0 },
  "wikipedia-loose": { mean: 58.2, max: 63.0 },
  "wikipedia-strict": { mean: 56.1, max: 57.0 },
};

type LabelRecalls = Readonly<Record<string, number>>;

/** Table 3, "Average recall per constituent type": the system compared with. */
export const TABLE_3_CAO: LabelRecalls = {
  SBAR: 85.3,
  NP: 84.3,
  VP: 80.8,
  PP: 84.4,
  ADJP: 55.6,
  ADVP: 54.6,
};

/** Table 3: the paper's own four settings. */
export const TABLE_3_SETTINGS: Readonly<Record<SettingName, LabelRecalls>> = {
  "qasrl-loose": { SBAR: 89.0, NP: 85.5, VP: 52.3, PP: 83.5, ADJP: 58.1, ADVP: 76.9 },
  "qasrl-strict": { SBAR: 87.7, NP: 85.2, VP: 70.9, PP: 86.5, ADJP: 57.3, ADVP: 75.3 },
  "wikipedia-loose": { SBAR: 66.7, NP: 71.8, VP: 62.4, PP: 67.7, ADJP: 62.7, ADVP: 66.4 },
  "wikipedia-strict": { SBAR: 48.3, NP: 70.3, VP: 49.6, PP: 74.8, ADJP: 60.1, ADVP: 63.9 },
};
