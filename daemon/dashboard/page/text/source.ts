import type { Project } from '../../../client/contract.ts'

/** Returns where the repository of a project is: its URL, also if the daemon at `origin` hosts it, or its folder. */
export function sourceOf(
  { repo_url: url, repo_dir: folder, hosted }: Pick<Project, 'repo_url' | 'repo_dir' | 'hosted'>,
  origin: string,
): string {
  return url ?? folder ?? (hosted === null ? '' : hostedUrl(hosted, origin))
}

/** Returns the URL that git pushes to and fetches from, for a repository that the daemon at `origin` hosts. */
export function hostedUrl(name: string, origin: string): string {
  return `${origin}/git/${name}.git`
}
