import { isGlobMatch } from './glob.ts'

/** Whether a push to a branch is deployed: it matches one of `branches` (or there are none) and none of `ignore`. */
export function isBranchWanted(
  filter: { readonly branches: readonly string[]; readonly ignore: readonly string[] },
  branch: string,
): boolean {
  const matches = (globs: readonly string[]) => globs.some((glob) => isGlobMatch(glob, branch))
  return (filter.branches.length === 0 || matches(filter.branches)) && !matches(filter.ignore)
}
