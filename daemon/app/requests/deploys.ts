import { isBranchWanted } from '../../domain/branch-filter.ts'
import { positionOf } from '../../domain/queue-order.ts'
import type { Environment, Project, QueueEntry } from '../../domain/records.ts'
import { rollbackTarget } from '../../domain/rollback-target.ts'
import { DaemonError } from '../../errors.ts'
import { isValidBranchName } from '../../git/branch-name.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { Actor, DeployOutcome, DeployUseCases, PushOutcome } from '../ground/use-cases.ts'
import type { BranchRemoval } from './destroy-branch.ts'
import type { UpstreamBranches } from './upstream-branches.ts'

type Push = Parameters<DeployUseCases['push']>[0]
type DeployRequest = { branch: string; commitSha: string | null; wait: boolean }

export interface Deploys extends DeployUseCases {
  /** Queues a deploy. Resolves with its queue position, or with the deploy's outcome if `wait` is true. */
  request(projectId: number, input: DeployRequest, actor: Actor): Promise<DeployOutcome>
}

/** Use cases that request deploys. They persist queue entries; the worker runs them. */
export function createDeploys(deps: {
  store: Store
  clock: Clock
  worker: Worker
  waiters: Waiters
  branchEnd: BranchRemoval
  upstreamBranches: UpstreamBranches
}): Deploys {
  const { store, clock, worker, waiters, branchEnd, upstreamBranches } = deps

  async function findProject(id: number): Promise<Project> {
    const project = await store.projects.find(id)
    if (!project) throw new DaemonError('not-found', `no project ${id}`)
    return project
  }

  function put(tx: Store, projectId: number, input: Omit<DeployRequest, 'wait'>, actor: Actor) {
    const { branch, commitSha } = input
    const { operator, requestId } = actor
    const requestedAt = clock.now()
    return tx.queue.put({ projectId, branch, commitSha, operator, requestId, requestedAt })
  }

  /** Notifies the worker of a persisted queue entry. */
  function handOver(entry: QueueEntry): void {
    worker.forgetMemoryNeed(entry.id)
    worker.signal()
  }

  async function request(
    projectId: number,
    input: DeployRequest,
    actor: Actor,
  ): Promise<DeployOutcome> {
    const entry = await put(store, projectId, input, actor)
    if (!input.wait) {
      const position = positionOf(await store.queue.list(), entry.id)
      handOver(entry)
      return { kind: 'queued', position }
    }
    const outcome = waiters.wait(entry.id)
    handOver(entry)
    return outcome
  }

  async function deploy(
    projectId: number,
    { branch, wait }: { branch: string; wait: boolean },
    actor: Actor,
  ): Promise<DeployOutcome> {
    await findProject(projectId)
    checkBranch(branch)
    return request(projectId, { branch, commitSha: null, wait }, actor)
  }

  async function rollback(
    projectId: number,
    { branch, toSha, wait }: { branch: string; toSha?: string; wait: boolean },
    actor: Actor,
  ): Promise<DeployOutcome> {
    await findProject(projectId)
    checkBranch(branch)
    const successful = await store.environments.listSuccessful(projectId, branch)
    const live = await store.environments.findLive(projectId, branch)
    const commitSha = targetOf(successful, live, toSha, branch)
    return request(projectId, { branch, commitSha, wait }, actor)
  }

  async function push(input: Push): Promise<PushOutcome> {
    const projects = await store.projects.listByRemote(input.remoteKey)
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
      if (!(await isNew(tx, input))) return undefined
      const queued: QueueEntry[] = []
      for (const { id } of wanted) {
        queued.push(await put(tx, id, { branch: input.branch, commitSha: null }, input.actor))
      }
      return queued
    })
    if (!entries) return duplicateDelivery
    for (const { id } of entries) worker.forgetMemoryNeed(id)
    // Respond to concurrent pushes first: starting a deploy blocks the event loop for milliseconds.
    setImmediate(worker.signal)
    return { kind: 'queued', projectIds: wanted.map(({ id }) => id) }
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
    const cause = { actor, detail: `the branch was deleted (${actor.operator})` }
    const rows = await store.transaction(async (tx) => {
      // A push may have created the branch again after the remote was asked.
      const after = await requestsOf(tx, projects, branch)
      if (after.some((request) => !before.includes(request))) return notDeleted
      if (!(await isNew(tx, input))) return duplicateDelivery
      const marked: Environment[] = []
      for (const { id } of gone) marked.push(...(await branchEnd.mark(tx, id, branch, cause)))
      return marked
    })
    if ('kind' in rows) return rows
    for (const { id } of gone) branchEnd.finishLater({ projectId: id, branch }, rows)
    return { kind: 'destroyed', environmentIds: rows.map(({ id }) => id) }
  }

  function isNew(tx: Store, { host, deliveryId }: Push): Promise<boolean> {
    if (deliveryId === null) return Promise.resolve(true)
    return tx.deliveries.remember(host, deliveryId, clock.now())
  }

  return { request, deploy, rollback, push }
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

function checkBranch(branch: string): void {
  if (isValidBranchName(branch)) return
  throw new DaemonError('bad-request', `invalid branch name ${JSON.stringify(branch)}`)
}

function targetOf(
  successful: readonly Environment[],
  live: Environment | undefined,
  toSha: string | undefined,
  branch: string,
): string {
  const target = rollbackTarget(successful, live?.commitSha, toSha)
  switch (target.kind) {
    case 'found':
      return target.commitSha
    case 'ambiguous':
      throw new DaemonError(
        'bad-request',
        `${toSha} matches ${target.commits.length} commits: give more characters`,
      )
    case 'none':
      throw new DaemonError(
        'not-found',
        toSha === undefined
          ? `no earlier commit of ${branch} has run: nothing to roll back to`
          : `no commit of ${branch} that starts with ${toSha} has run`,
      )
  }
}
