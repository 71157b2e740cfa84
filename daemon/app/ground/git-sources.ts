import type { Project } from '../../domain/records.ts'
import type { GitSource, Vault } from '../../ports.ts'

/** What git needs of a project, its token opened. */
export interface GitSources {
  of(project: Pick<Project, 'repoDir' | 'repoUrl' | 'context' | 'gitToken'>): GitSource
}

export function createGitSources({ vault }: { vault: Vault }): GitSources {
  return {
    of: ({ repoDir, repoUrl, context, gitToken }) => ({
      repoDir,
      repoUrl,
      context,
      token: gitToken === null ? null : vault.open(gitToken),
    }),
  }
}
