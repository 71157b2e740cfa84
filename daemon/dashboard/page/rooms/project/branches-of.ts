import type { Environment } from '../../../../client/contract.ts'

/** A branch with its environments. */
export interface BranchRow {
  readonly name: string
  /** The environment that serves the branch, or would after a wake. */
  readonly live: Environment | undefined
  /** The newest deploy. It differs from `live` if it is building, has failed or was destroyed. */
  readonly newest: Environment
}

/**
 * Groups the environments of a project, oldest first, by branch. Live branches come first, destroyed ones last; in each
 * group the default branch comes first.
 */
export function branchesOf(
  rows: readonly Environment[],
  defaultBranch: string | null,
): readonly BranchRow[] {
  const branches = new Map<string, BranchRow>()
  for (const row of rows) {
    const known = branches.get(row.branch.name)
    const live = row.public_port === null ? known?.live : row
    branches.set(row.branch.name, { name: row.branch.name, live, newest: row })
  }
  const rank = ({ live, newest }: BranchRow) => (live ? 0 : newest.state === 'destroyed' ? 2 : 1)
  return [...branches.values()].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      Number(other.name === defaultBranch) - Number(one.name === defaultBranch) ||
      one.name.localeCompare(other.name),
  )
}
