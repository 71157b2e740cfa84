import type { Environment, Project } from '../../domain/records.ts'
import type { Clock, Git, Logger, Store } from '../../ports.ts'
import { daemonActor } from '../ground/audit-row.ts'
import type { DefaultBranches } from '../ground/default-branches.ts'
import type { GitSources } from '../ground/git-sources.ts'
import type { BranchRemoval } from './destroy-branch.ts'

/** Finds branches that were deleted upstream without a webhook, and ends them. The default branch always stays. */
export interface DeletedBranches {
  run(signal: AbortSignal): Promise<void>
}

export function createDeletedBranches(deps: {
  store: Store
  clock: Clock
  git: Git
  sources: GitSources
  branchRemoval: BranchRemoval
  defaultBranches: DefaultBranches
  logger: Logger
}): DeletedBranches {
  const { store, git, sources, branchRemoval, defaultBranches, logger } = deps

  async function check(project: Project, rows: readonly Environment[], signal: AbortSignal) {
    const source = sources.of(project)
    await git.fetch(source, signal)
    const { defaultBranch } = await defaultBranches.refresh(project, source)
    const branches = await git.branches(source)
    // A repository without branches is new or broken: keep its environments.
    if (branches.size === 0) return
    const detail = 'the branch was deleted upstream'
    const cause = { actor: daemonActor, detail, reason: 'branch_deleted' } as const
    for (const branch of new Set(rows.map((row) => row.branch))) {
      if (branches.has(branch) || branch === defaultBranch) continue
      const marked = await store.transaction((tx) =>
        branchRemoval.mark(tx, project.id, branch, cause),
      )
      await branchRemoval.finish({ projectId: project.id, branch }, marked)
    }
  }

  return {
    async run(signal) {
      const live = await store.environments.listLive()
      for (const project of await store.projects.list()) {
        const rows = live.filter(({ projectId }) => projectId === project.id)
        if (rows.length === 0) continue
        if (signal.aborted) return
        try {
          await check(project, rows, signal)
        } catch (err) {
          logger.warn({ err, projectId: project.id }, 'could not list the branches of a project')
        }
      }
    },
  }
}
