import { hostedName } from '../../domain/hosted.ts'
import type { Project } from '../../domain/records.ts'
import type { GitSource, Repositories, Vault } from '../../ports.ts'

export interface GitSources {
  /** Returns the repository of a project with its decrypted git token. Throws `internal` if decryption fails. */
  of(project: Pick<Project, 'id' | 'repoDir' | 'repoUrl' | 'context' | 'gitToken'>): GitSource
}

export function createGitSources({
  vault,
  repositories,
}: {
  vault: Vault
  repositories: Pick<Repositories, 'path'>
}): GitSources {
  return {
    of(project) {
      const { id, repoDir, repoUrl, context, gitToken } = project
      if (hostedName(project) !== undefined) {
        return { repoDir: repositories.path(id), repoUrl: null, context, token: null }
      }
      return { repoDir, repoUrl, context, token: gitToken === null ? null : vault.open(gitToken) }
    },
  }
}
