/**
 * The Hugging Face hub's own cache on disk, which is shared with other tools: `models--owner--name/`
 * with `blobs/` (the files, named by the hub for their contents), `snapshots/COMMIT/` (links to them by
 * their own names), and `refs/` (the commits that names such as `main` stand for).
 */

import { link, readFile, rm, stat, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { InputError } from "../errors.js";
import { codeOf } from "../files/failure.js";
import { makeFolder } from "../files/folder.js";
import { writeWhole } from "../files/output.js";
import type { Environment } from "./environment.js";

/** Where the hub's tools look: HF_HUB_CACHE, `hub` in HF_HOME, or `huggingface/hub` in the cache. */
export function hubCacheFolder(env: Environment): string {
  if (env.HF_HUB_CACHE) return env.HF_HUB_CACHE;
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(env.HF_HOME || join(cache, "huggingface"), "hub");
}

/** What may be part of a path: neither a separator nor a way up. */
const NAME = /^(?!\.+$)[\w.-]+$/;

/** A revision of a model in the cache. */
export class CachedRevision {
  readonly #folder: string;
  readonly #revision: string;
  /** The commit that the revision stands for; undefined if nothing of it was fetched. */
  #commit: string | undefined;

  private constructor(folder: string, revision: string, commit: string | undefined) {
    this.#folder = folder;
    this.#revision = revision;
    this.#commit = commit;
  }

  static async open(cache: string, model: string, revision: string): Promise<CachedRevision> {
    const folder = join(cache, `models--${model.replace("/", "--")}`);
    const named = await readFile(join(folder, "refs", revision), "utf8").catch(() => "");
    return new CachedRevision(folder, revision, NAME.exec(named.trim())?.[0]);
  }

  /** What to ask the server for: once the commit is known, nothing but files of that. */
  get revision(): string {
    return this.#commit ?? this.#revision;
  }

  /** The path of a file, whether it is there or not. */
  path(file: string): string {
    // A server that tells no commit, or a commit that was named itself.
    const snapshot = this.#commit ?? this.#revision.replaceAll("/", "--");
    return join(this.#folder, "snapshots", snapshot, file);
  }

  async has(file: string): Promise<boolean> {
    return (await stat(this.path(file)).catch(() => undefined))?.isFile() ?? false;
  }

  /** Makes room for files. */
  async prepare(): Promise<void> {
    await makeFolder(join(this.#folder, "blobs")).catch((error) => {
      if (!(error instanceof InputError)) throw error;
      const { problem, place } = error;
      throw new InputError(problem, place, "choose another folder for models: HF_HUB_CACHE=…");
    });
  }

  /** Where contents go that the server calls so. */
  blob(etag: string): string {
    return join(this.#folder, "blobs", etag);
  }

  /** Gives contents the name of a file of this revision. */
  async add(file: string, blob: string, commit: string | undefined): Promise<void> {
    if (commit !== undefined && this.#commit === undefined) await this.#settle(commit);
    const path = this.path(file);
    await makeFolder(dirname(path));
    // It may lead to contents that somebody has removed.
    await rm(path, { force: true });
    await symlink(relative(dirname(path), blob), path).catch(async (error) => {
      // Windows lets only some users make symbolic links.
      if (codeOf(error) !== "EEXIST") await link(blob, path);
    });
  }

  async #settle(commit: string): Promise<void> {
    this.#commit = commit;
    if (commit === this.#revision) return;
    const ref = join(this.#folder, "refs", this.#revision);
    await makeFolder(dirname(ref));
    await writeWhole(ref, commit);
  }
}
