/** What the page and its parsing worker say to each other. */

import type { Decoding, LabelConfig } from "../../src/model/config.js";
import type { LabelFactors } from "../../src/model/label-scorer.js";

export interface LoadRequest {
  readonly kind: "load";
  readonly id: number;
  /** The address of the model's folder. */
  readonly model: string;
  /** Where ONNX Runtime's files are. */
  readonly runtime: string;
}

export interface ScoreRequest {
  readonly kind: "score";
  readonly id: number;
  readonly model: string;
  readonly sentences: readonly (readonly string[])[];
}

export type Request = LoadRequest | ScoreRequest;

export type Answer =
  | {
      readonly kind: "progress";
      readonly id: number;
      readonly loaded: number;
      readonly total: number;
    }
  | {
      readonly kind: "loaded";
      readonly id: number;
      readonly device: string;
      readonly threads: number;
      readonly decoding: Decoding;
      /** Missing if the model does not name phrases. */
      readonly labels?: LabelConfig | undefined;
    }
  | {
      readonly kind: "scored";
      readonly id: number;
      readonly scores: readonly Float32Array[];
      /** The factors of label scores, one item per sentence; none if the model does not name phrases. */
      readonly labels: readonly LabelFactors[];
    }
  | { readonly kind: "failed"; readonly id: number; readonly problem: string };
