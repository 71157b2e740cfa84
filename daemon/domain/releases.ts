import type { Environment } from './records.ts'

export type RollbackTarget =
  | { readonly kind: 'found'; readonly commitSha: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly commits: readonly string[] }

/**
 * Chooses the target of a rollback among a branch's successful deploys (newest first): the commit that starts with
 * `toSha`, by default the newest commit that is not live.
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

/** Returns the newest environment of a commit whose release is not pruned. */
export function keptRelease(
  successful: readonly Environment[],
  commitSha: string,
): Environment | undefined {
  return successful.find(
    (one) => one.commitSha === commitSha && one.release !== null && one.launch !== null,
  )
}

/**
 * Returns the releases to remove: those of successful deploys (newest first) beyond the newest `keep`, except releases
 * in use.
 */
export function releasesToPrune(
  successful: readonly Environment[],
  keep: number,
  inUse: ReadonlySet<string>,
): string[] {
  const releases = [...new Set(successful.flatMap(({ release }) => (release ? [release] : [])))]
  return releases.slice(Math.max(1, keep)).filter((release) => !inUse.has(release))
}
