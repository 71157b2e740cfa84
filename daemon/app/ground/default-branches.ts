import type { Project } from '../../domain/records.ts'
import type { Git, GitSource, Store } from '../../ports.ts'

/** Stores the default branch of each project. Sweeps never destroy the default branch. */
export interface DefaultBranches {
  /** Stores the branch of the remote's HEAD. Call after a fetch. Returns the stored project. */
  refresh(project: Project, source: GitSource): Promise<Project>
  /** Stores `branch` as the default branch if the project has none. */
  suggest(tx: Store, projectId: number, branch: string): Promise<void>
}

export function createDefaultBranches({ store, git }: { store: Store; git: Git }): DefaultBranches {
  /** Returns true if the stored default branch is kept although the remote's HEAD names another branch. */
  async function isKept({ id, defaultBranch }: Project, source: GitSource, isCheckout: boolean) {
    if (defaultBranch === null) return false
    if ((await git.branches(source)).has(defaultBranch)) return isCheckout
    // After a rename upstream, the branch that serves stays protected until a person removes it.
    return (await store.environments.findLive(id, defaultBranch)) !== undefined
  }

  return {
    async refresh(project, source) {
      const head = await git.defaultBranch(source)
      if (!head || head.name === project.defaultBranch) return project
      if (await isKept(project, source, head.isCheckout)) return project
      return (await store.projects.update(project.id, { defaultBranch: head.name })) ?? project
    },

    async suggest(tx, projectId, branch) {
      const project = await tx.projects.find(projectId)
      if (project?.defaultBranch === null) {
        await tx.projects.update(projectId, { defaultBranch: branch })
      }
    },
  }
}
