import type { Project } from '../../domain/records.ts'
import type { Git, GitSource, Store } from '../../ports.ts'

/** Remembers the default branch of each project, which no sweep destroys. */
export interface DefaultBranches {
  /** Call it after a fetch: remembers the branch of the remote's HEAD. Returns the project as stored. */
  refresh(project: Project, source: GitSource): Promise<Project>
  /** Remembers `branch` if the project has no default branch. */
  suggest(tx: Store, projectId: number, branch: string): Promise<void>
}

export function createDefaultBranches({ store, git }: { store: Store; git: Git }): DefaultBranches {
  /** Tells whether a known default branch stays, although HEAD names another branch. */
  async function isKept({ id, defaultBranch }: Project, source: GitSource, isCheckout: boolean) {
    if (defaultBranch === null) return false
    if ((await git.branches(source)).has(defaultBranch)) return isCheckout
    // Renamed upstream: the branch that serves keeps its protection until a person removes it.
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
