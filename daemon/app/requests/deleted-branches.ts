import type { Environment, Project } from '../../domain/records.ts'
import type { Clock, Git, Store } from '../../ports.ts'
import { daemonActor } from '../ground/audit-row.ts'
import type { Logger } from '../ground/deps.ts'
import type { GitSources } from '../ground/git-sources.ts'
import type { BranchEnd } from './branch-end.ts'

/** Notices branches that were deleted while no webhook told us: asks each repository once in a while. */
export interface Upstream {
  run(signal: AbortSignal): Promise<void>
}

export function createUpstream(deps: {
  store: Store
  clock: Clock
  git: Git
  sources: GitSources
  branchEnd: BranchEnd
  logger: Logger
}): Upstream {
  const { store, git, sources, branchEnd, logger } = deps

  async function check(project: Project, rows: readonly Environment[], signal: AbortSignal) {
    const source = sources.of(project)
    await git.fetch(source, signal)
    const branches = await git.branches(source)
    // A repository without any branch is broken or new, not cleaned up.
    if (branches.size === 0) return
    const end = { doer: daemonActor, detail: 'its branch was deleted upstream' }
    for (const branch of new Set(rows.map((row) => row.branch))) {
      if (branches.has(branch)) continue
      const marked = await store.transaction((tx) => branchEnd.mark(tx, project.id, branch, end))
      await branchEnd.finish({ projectId: project.id, branch }, marked)
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
          logger.warn({ err, projectId: project.id }, 'its branches could not be looked up')
        }
      }
    },
  }
}
