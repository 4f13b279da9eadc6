/** What readers of treebanks are told and give. */

import type { InputError } from "../errors.js";
import type { Tree } from "./tree.js";

/** How trees in Penn brackets are read. */
export interface PennOptions {
  /** The name of the file, for error messages. */
  readonly file?: string | undefined;
  /** The number of the first line, where it is not 1. */
  readonly line?: number | undefined;
  /** Whether every token is a word and none is a label. */
  readonly unlabelled?: boolean | undefined;
  /**
   * Keep `-NONE-` leaves, and in trees with an `ID` node elements such as `*pro*`. By default they are dropped, and
   * phrases that contain nothing else.
   */
  readonly keepEmpty?: boolean | undefined;
  /** Turn `-LRB-` into `(` and `1\/2` into `1/2`. */
  readonly unescape?: boolean | undefined;
  /**
   * Continue after a malformed tree, at the next line that begins with a bracket. A tree that is not closed
   * before such a line is also malformed.
   */
  readonly skipBad?: boolean | undefined;
}

/** A tree and the place where it was read. */
export interface LocatedTree {
  /** The tree. */
  readonly tree: Tree;
  /** The file that it is from, if known. */
  readonly file: string | undefined;
  /** The line on which the tree begins, counted from 1. */
  readonly line: number;
}

/** A place in a treebank that has no tree. */
export interface MissingTree {
  /**
   * "failed": a parser gave no tree for the sentence; "malformed": the tree cannot be read; "stray":
   * other text between trees, which takes no tree's place.
   */
  readonly reason: "failed" | "malformed" | "stray";
  /** The error, with its place. */
  readonly problem: InputError;
  /** The file, if known. */
  readonly file: string | undefined;
  /** The line, counted from 1. */
  readonly line: number;
}

/** An entry of a treebank: a tree, or a place without one. */
export type TreebankEntry = LocatedTree | MissingTree;
