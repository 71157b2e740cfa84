import { isGlobMatch } from './glob.ts'

/**
 * Returns true if a branch is deployed: it matches a glob of `branches` (or the list is empty) and no glob of `ignore`.
 */
export function isBranchWanted(
  filter: { readonly branches: readonly string[]; readonly ignore: readonly string[] },
  branch: string,
): boolean {
  const matches = (globs: readonly string[]) => globs.some((glob) => isGlobMatch(glob, branch))
  return (filter.branches.length === 0 || matches(filter.branches)) && !matches(filter.ignore)
}
