import type { Project } from '../../domain/records.ts'
import type { GitSource, Vault } from '../../ports.ts'

export interface GitSources {
  /** Returns the repository of a project with its decrypted git token. Throws `internal` if decryption fails. */
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
