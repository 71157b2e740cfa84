import type { Redacted } from './redacted.ts'

export interface Git {
  /**
   * Fetches into the project's mirror. Calls made before a fetch starts share that fetch. Throws `transient` on network
   * faults.
   */
  fetch(project: GitSource, signal: AbortSignal): Promise<void>
  /** Returns the commit of a branch as of the last fetch; undefined if the branch does not exist. */
  head(project: GitSource, branch: string): Promise<string | undefined>
  /** Returns the commits by branch, as of the last fetch. */
  branches(project: GitSource): Promise<ReadonlyMap<string, string>>
  /**
   * Returns the commits by branch as the remote has them now, without fetching. Throws `transient` or `unprocessable` if the
   * remote does not answer.
   */
  remoteBranches(project: GitSource, signal: AbortSignal): Promise<ReadonlyMap<string, string>>
  /** Returns the default branch as last fetched; undefined before a fetch, or if HEAD names no branch. */
  defaultBranch(project: GitSource): Promise<DefaultBranch | undefined>
  /** Returns true if the mirror contains a commit. */
  has(project: GitSource, commitSha: string): Promise<boolean>
  /**
   * Writes the files of a commit's `context` into `folder`, without `.git`. `folder` is an absolute path that must not
   * exist. Throws `unprocessable` if a symlink leads out of the folder.
   */
  checkout(
    project: GitSource,
    commitSha: string,
    folder: string,
    signal: AbortSignal,
  ): Promise<void>
  /** Deletes the mirror. */
  remove(project: GitSource): Promise<void>
}

export interface DefaultBranch {
  readonly name: string
  /** True for the HEAD of a working tree, which moves with each checkout. */
  readonly isCheckout: boolean
}

/**
 * A project's repository. git receives `token` through the environment of a helper program, never through argv or a
 * URL.
 */
export interface GitSource {
  readonly repoDir: string | null
  readonly repoUrl: string | null
  readonly context: string
  readonly token: Redacted | null
}
