import type { Environment } from '../../../client/contract.ts'

const maxCommits = 20

/** Returns the commits of a branch that have run and are not live, newest first, at most 20. */
export function earlierCommits(
  rows: readonly Environment[],
  branch: string,
): readonly { readonly sha: string; readonly at: string }[] {
  const own = rows.filter((row) => row.branch.name === branch)
  const live = own.findLast((row) => row.public_port !== null)?.branch.commit_sha
  const commits = new Map<string, { sha: string; at: string }>()
  for (const row of own.toReversed()) {
    const sha = row.branch.commit_sha
    const hasRun = row.state !== 'build_failed' && row.state !== 'building'
    if (hasRun && sha !== live && !commits.has(sha)) commits.set(sha, { sha, at: row.created_at })
  }
  return [...commits.values()].slice(0, maxCommits)
}
