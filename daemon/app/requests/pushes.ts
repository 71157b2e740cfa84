import { isBranchWanted } from '../../domain/branch-filter.ts'
import type { Environment, Project, QueueEntry } from '../../domain/records.ts'
import { isValidBranchName } from '../../git/branch-name.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Worker } from '../deploy/worker.ts'
import type { DeployUseCases, PushOutcome } from '../ground/use-cases.ts'
import { isReached } from '../ground/webhook-reach.ts'
import type { BranchRemoval } from './destroy-branch.ts'
import { queueDeploy } from './queue-deploy.ts'
import type { UpstreamBranches } from './upstream-branches.ts'

type Push = Parameters<DeployUseCases['push']>[0]

/** Creates the use case for verified webhook pushes: it queues deploys, or destroys a deleted branch. */
export function createPush(deps: {
  store: Store
  clock: Clock
  worker: Worker
  branchRemoval: BranchRemoval
  upstreamBranches: UpstreamBranches
}): DeployUseCases['push'] {
  const { store, clock, worker, branchRemoval, upstreamBranches } = deps

  async function push(input: Push): Promise<PushOutcome> {
    const all = await store.projects.listByRemote(input.remoteKey)
    const projects = all.filter((project) => isReached(input, project))
    if (projects.length === 0) return { kind: 'unknown-repository' }
    if (!isValidBranchName(input.branch)) {
      return { kind: 'ignored', why: `invalid branch name ${input.branch}` }
    }
    if (input.isDeleted) return destroyBranch(input, projects)
    const wanted = projects.filter((project) => isBranchWanted(project, input.branch))
    if (wanted.length === 0) {
      return { kind: 'ignored', why: `the project's branch filters exclude ${input.branch}` }
    }
    const entries = await store.transaction(async (tx) => {
      const queued: QueueEntry[] = []
      for (const { id, webhookAt } of wanted) {
        if (!(await isNew(tx, input, id))) continue
        if (webhookAt === null) await tx.projects.update(id, { webhookAt: clock.now() })
        queued.push(
          await queueDeploy(tx, clock, id, { branch: input.branch, commitSha: null }, input.actor),
        )
      }
      return queued
    })
    if (entries.length === 0) return duplicateDelivery
    for (const { id } of entries) worker.forgetMemoryNeed(id)
    // Respond to concurrent pushes first: starting a deploy blocks the event loop for milliseconds.
    setImmediate(worker.signal)
    return { kind: 'queued', projectIds: entries.map(({ projectId }) => projectId) }
  }

  /** Destroys the environments of a branch in each project whose remote confirms that the branch is gone. */
  async function destroyBranch(input: Push, projects: readonly Project[]): Promise<PushOutcome> {
    const { branch, actor } = input
    const before = await requestsOf(store, projects, branch)
    const answers = await Promise.all(
      projects.map((project) => upstreamBranches.check(project, branch)),
    )
    const gone = projects.filter((_, i) => answers[i] === 'absent')
    if (gone.length === 0) return answers.includes('unknown') ? unconfirmed : notDeleted
    const detail = `the branch was deleted (${actor.operator})`
    const cause = { actor, detail, reason: 'branch_deleted' } as const
    const rows = await store.transaction(async (tx) => {
      // A push may have created the branch again after the remote was asked.
      const after = await requestsOf(tx, projects, branch)
      if (after.some((request) => !before.includes(request))) return notDeleted
      const marked: Environment[] = []
      let isDuplicate = true
      for (const { id } of gone) {
        if (!(await isNew(tx, input, id))) continue
        isDuplicate = false
        marked.push(...(await branchRemoval.mark(tx, id, branch, cause)))
      }
      return isDuplicate ? duplicateDelivery : marked
    })
    if ('kind' in rows) return rows
    for (const { id } of gone) branchRemoval.finishLater({ projectId: id, branch }, rows)
    return { kind: 'destroyed', environmentIds: rows.map(({ id }) => id) }
  }

  /** A host sends one delivery id to all webhooks of a repository, which may have different secrets. */
  function isNew(tx: Store, { host, deliveryId }: Push, projectId: number): Promise<boolean> {
    if (deliveryId === null) return Promise.resolve(true)
    return tx.deliveries.remember(host, `${deliveryId}:${projectId}`, clock.now())
  }

  return push
}

/** Identifies the queued deploys of a branch. A newer request replaces a waiting one, which keeps its id. */
async function requestsOf(
  store: Store,
  projects: readonly Project[],
  branch: string,
): Promise<string[]> {
  const entries = await store.queue.list(projects.map(({ id }) => id))
  return entries
    .filter((entry) => entry.branch === branch)
    .map(({ id, requestId }) => `${id} ${requestId}`)
}

const duplicateDelivery = { kind: 'ignored', why: 'duplicate delivery' } as const
const notDeleted = {
  kind: 'ignored',
  why: 'the branch exists at its remote: nothing was destroyed',
} as const
const unconfirmed = {
  kind: 'ignored',
  why: 'the remote did not confirm the deletion: nothing was destroyed, the daemon asks again within an hour',
} as const
