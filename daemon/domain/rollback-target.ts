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
