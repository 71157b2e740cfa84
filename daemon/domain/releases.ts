import type { Environment } from './records.ts'

export type RollbackTarget =
  | { readonly kind: 'found'; readonly commitSha: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly commits: readonly string[] }

/**
 * The commit to go back to, of the deploys of a branch that came to run (newest first): the one named by `toSha` (whole
 * or the beginning of just one), else the newest that is not what runs now.
 */
export function rollbackTarget(
  successful: readonly Environment[],
  liveSha: string | undefined,
  toSha?: string,
): RollbackTarget {
  const commits = [...new Set(successful.map(({ commitSha }) => commitSha))]
  if (toSha === undefined) {
    const commitSha = commits.find((sha) => sha !== liveSha)
    return commitSha === undefined ? { kind: 'none' } : { kind: 'found', commitSha }
  }
  const matching = commits.filter((sha) => sha.startsWith(toSha.toLowerCase()))
  const [commitSha, ...others] = matching
  if (commitSha === undefined) return { kind: 'none' }
  return others.length === 0
    ? { kind: 'found', commitSha }
    : { kind: 'ambiguous', commits: matching }
}

/** The newest release of a commit that is still on disk. */
export function keptRelease(
  successful: readonly Environment[],
  commitSha: string,
): Environment | undefined {
  return successful.find(
    (one) => one.commitSha === commitSha && one.release !== null && one.launch !== null,
  )
}

/** Releases of a branch (deploys that came to run, newest first) past the newest `keep`, but none of `inUse`. */
export function releasesToPrune(
  successful: readonly Environment[],
  keep: number,
  inUse: ReadonlySet<string>,
): string[] {
  const releases = [...new Set(successful.flatMap(({ release }) => (release ? [release] : [])))]
  return releases.slice(Math.max(1, keep)).filter((release) => !inUse.has(release))
}
