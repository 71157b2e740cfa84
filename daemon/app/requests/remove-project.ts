import type { Environment, Project } from '../../domain/records.ts'
import type { Builder, Clock, Git, Logs, Store, Walls } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { GitSources } from '../ground/git-sources.ts'
import type { Actor } from '../ground/use-cases.ts'
import type { Certificates } from '../run/certificates.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'
import type { Routing } from '../run/routing.ts'
import type { BranchRemoval } from './destroy-branch.ts'
import type { ProjectData } from './project-data.ts'

export interface ProjectRemoval {
  /**
   * Ends the project's deploys, destroys its environments, and deletes the project with its releases, caches, logs and
   * mirror. Its data goes to the trash, or is removed with `purgeData`.
   */
  remove(project: Project, input: { purgeData: boolean }, actor: Actor): Promise<void>
}

export function createProjectRemoval(deps: {
  store: Store
  clock: Clock
  git: Git
  builder: Pick<Builder, 'removeProject'>
  logs: Logs
  folders: ReleaseFolders
  cells: Pick<Walls, 'remove'>
  sources: GitSources
  branchRemoval: BranchRemoval
  projectData: ProjectData
  routing: Pick<Routing, 'refreshDomain'>
  certificates: Pick<Certificates, 'forget'>
}): ProjectRemoval {
  const { store, clock, git, builder, logs, folders, cells, sources, branchRemoval, projectData } =
    deps

  async function endBranches({ id }: Project, purgeData: boolean, actor: Actor): Promise<void> {
    const entries = await store.queue.list([id])
    const rows = await store.environments.list(id)
    const branches = new Set(
      [...entries, ...rows.filter(isNotDestroyed)].map(({ branch }) => branch),
    )
    const detail = `the project was removed by ${actor.operator}`
    const cause = { actor, detail, purgeData, reason: 'project_deleted' } as const
    for (const branch of branches) {
      const marked = await store.transaction((tx) => branchRemoval.mark(tx, id, branch, cause))
      await branchRemoval.finish({ projectId: id, branch }, marked)
    }
  }

  /** Keeps the mirror if another project uses the same repository. */
  async function removeMirror(project: Project): Promise<void> {
    const others = await store.projects.list()
    const isShared = others.some(
      ({ repoDir, repoUrl }) => repoDir === project.repoDir && repoUrl === project.repoUrl,
    )
    if (!isShared) await git.remove(sources.of(project))
  }

  return {
    async remove(project, { purgeData }, actor) {
      const { id, name } = project
      await endBranches(project, purgeData, actor)
      const rows = await store.environments.list(id)
      const domains = (await store.domains.list(id)).map(({ domain }) => domain)
      const data = await projectData.read(id)
      const cause = { actor, reason: 'project_deleted', purge: purgeData } as const
      await store.transaction(async (tx) => {
        await projectData.plan(tx, id, data, cause)
        if (!(await tx.projects.remove(id))) return
        const detail = `${name} was removed`
        const row = auditRow('project_deleted', { projectId: id }, detail, actor, clock.now())
        await tx.audit.write(row)
      })
      for (const domain of domains) await deps.routing.refreshDomain(domain)
      await deps.certificates.forget(domains)
      await cells.remove(id)
      await projectData.settle(id)
      await folders.removeProject(id)
      await builder.removeProject(id)
      for (const row of rows) await logs.remove(row.id)
      await removeMirror(project)
    },
  }
}

function isNotDestroyed({ state }: Environment): boolean {
  return state !== 'destroyed'
}
