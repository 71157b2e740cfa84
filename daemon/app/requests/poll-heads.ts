import { isBranchWanted } from '../../domain/branch-filter.ts'
import type { Environment, Project, QueueEntry } from '../../domain/records.ts'
import type { Clock, Git, Store } from '../../ports.ts'
import type { Worker } from '../deploy/worker.ts'
import type { AuditActor } from '../ground/audit-row.ts'
import type { GitSources } from '../ground/git-sources.ts'
import { queueDeploy } from './queue-deploy.ts'

/** Finds pushes whose webhook was lost, by the heads of the remotes. */
export interface PollHeads {
  /** Lists the repositories of the projects that a webhook has reached before. */
  repositories(): Promise<PolledRepository[]>
  /** Asks a remote once, and queues a deploy of each live branch with a new head. Throws if the remote does not answer. */
  poll(repository: PolledRepository, signal: AbortSignal): Promise<void>
}

/** Projects with one remote and one credential. */
export interface PolledRepository {
  readonly key: string
  readonly projectIds: readonly number[]
}

const pollActor: AuditActor = { operator: 'poll', requestId: '' }

export function createPollHeads(deps: {
  store: Store
  clock: Clock
  git: Pick<Git, 'remoteBranches'>
  sources: GitSources
  worker: Worker
}): PollHeads {
  const { store, clock, git, sources, worker } = deps

  /** Returns undefined if the token can't be decrypted: a deploy of the project reports this. */
  function keyOf(project: Project): string | undefined {
    try {
      const { repoDir, repoUrl, token } = sources.of(project)
      return JSON.stringify([repoDir, repoUrl, token?.reveal() ?? null])
    } catch {
      return undefined
    }
  }

  async function check(project: Project, heads: ReadonlyMap<string, string>): Promise<void> {
    for (const live of await store.environments.listLive({ projectId: project.id })) {
      const head = heads.get(live.branch)
      if (head === undefined || head === live.commitSha) continue
      if (!isBranchWanted(project, live.branch)) continue
      const entry = await store.transaction((tx) => queueUnknown(tx, live, head))
      if (!entry) continue
      worker.forgetMemoryNeed(entry.id)
      worker.signal()
    }
  }

  /**
   * Queues a commit that the branch has never deployed or tried. So a failed commit is not retried, and the commit before a
   * rollback does not come back.
   */
  async function queueUnknown(
    tx: Store,
    { projectId, branch }: Environment,
    head: string,
  ): Promise<QueueEntry | undefined> {
    const entries = await tx.queue.list([projectId])
    if (entries.some((entry) => entry.branch === branch)) return undefined
    const rows = await tx.environments.list(projectId, branch)
    if (rows.some(({ commitSha }) => commitSha === head)) return undefined
    return queueDeploy(tx, clock, projectId, { branch, commitSha: head }, pollActor)
  }

  return {
    async repositories() {
      const byKey = new Map<string, number[]>()
      for (const project of await store.projects.list()) {
        const key = project.webhookAt === null ? undefined : keyOf(project)
        if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), project.id])
      }
      return [...byKey].map(([key, projectIds]) => ({ key, projectIds }))
    },

    async poll({ projectIds }, signal) {
      const projects = await store.projects.list(projectIds)
      const live = await Promise.all(
        projectIds.map((projectId) => store.environments.listLive({ projectId })),
      )
      const [first] = projects
      if (!first || live.flat().length === 0) return
      const heads = await git.remoteBranches(sources.of(first), signal)
      for (const project of projects) await check(project, heads)
    },
  }
}
