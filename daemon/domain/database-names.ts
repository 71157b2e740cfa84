/** MySQL limits the name of a user to 32 characters. */
const maxSlugLength = 10

/**
 * Returns the name of a branch's database and of its user: project, a readable part of the branch, and `random`, 8
 * hexadecimal digits. It has at most 32 characters of `a-z`, `0-9` and `_`, for any branch name.
 */
export function databaseName(projectId: number, branch: string, random: string): string {
  const slug = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, maxSlugLength)
    .replace(/_$/, '')
  return ['st', String(projectId), ...(slug === '' ? [] : [slug]), random].join('_')
}
