import { isBranchWanted } from '../../domain/branch-filter.ts'
import { positionOf } from '../../domain/queue-order.ts'
import type { Environment, Project, QueueEntry } from '../../domain/records.ts'
import { rollbackTarget } from '../../domain/releases.ts'
import { DaemonError } from '../../errors.ts'
import { isValidBranchName } from '../../git/branch-name.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { Actor, DeployOutcome, DeployUseCases, PushOutcome } from '../ground/use-cases.ts'
import type { BranchEnd } from './branch-end.ts'

type Push = Parameters<DeployUseCases['push']>[0]
type Wish = { branch: string; commitSha: string | null; wait: boolean }

export interface Deploys extends DeployUseCases {
  /** Puts a deploy into the queue and, with `wait`, says what came of it. */
  request(projectId: number, wish: Wish, actor: Actor): Promise<DeployOutcome>
}

/** What asks for deploys: written down, answered, and left to the worker. */
export function createDeploys(deps: {
  store: Store
  clock: Clock
  worker: Worker
  waiters: Waiters
  branchEnd: BranchEnd
}): Deploys {
  const { store, clock, worker, waiters, branchEnd } = deps

  async function findProject(id: number): Promise<Project> {
    const project = await store.projects.find(id)
    if (!project) throw new DaemonError('not-found', `no project ${id}`)
    return project
  }

  function put(tx: Store, projectId: number, wish: Omit<Wish, 'wait'>, actor: Actor) {
    const { branch, commitSha } = wish
    const { operator, requestId } = actor
    const requestedAt = clock.now()
    return tx.queue.put({ projectId, branch, commitSha, operator, requestId, requestedAt })
  }

  /** It is in the database; the worker may have it. */
  function accepted(entry: QueueEntry): void {
    worker.replaced(entry.id)
    worker.signal()
  }

  async function request(projectId: number, wish: Wish, actor: Actor): Promise<DeployOutcome> {
    const entry = await put(store, projectId, wish, actor)
    if (!wish.wait) {
      const position = positionOf(await store.queue.list(), entry.id)
      accepted(entry)
      return { kind: 'queued', position }
    }
    const outcome = waiters.wait(entry.id)
    accepted(entry)
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
      return { kind: 'ignored', why: `${input.branch} is no name of a branch` }
    }
    if (input.isDeleted) return deleted(input, projects)
    const wanted = projects.filter((project) => isBranchWanted(project, input.branch))
    if (wanted.length === 0) {
      return { kind: 'ignored', why: `no project deploys the branch ${input.branch}` }
    }
    const entries = await store.transaction(async (tx) => {
      if (!(await isNew(tx, input))) return undefined
      const put_: QueueEntry[] = []
      for (const { id } of wanted) {
        put_.push(await put(tx, id, { branch: input.branch, commitSha: null }, input.actor))
      }
      return put_
    })
    if (!entries) return seenBefore
    for (const { id } of entries) worker.replaced(id)
    // Who pushes at the same moment is answered first: to start a deploy holds the process for milliseconds.
    setImmediate(worker.signal)
    return { kind: 'queued', projectIds: wanted.map(({ id }) => id) }
  }

  async function deleted(input: Push, projects: readonly Project[]): Promise<PushOutcome> {
    const { branch, actor } = input
    const end = { doer: actor, detail: `its branch was deleted (${actor.operator})` }
    const rows = await store.transaction(async (tx) => {
      if (!(await isNew(tx, input))) return undefined
      const marked: Environment[] = []
      for (const { id } of projects) marked.push(...(await branchEnd.mark(tx, id, branch, end)))
      return marked
    })
    if (!rows) return seenBefore
    for (const { id } of projects) branchEnd.finishLater({ projectId: id, branch }, rows)
    return { kind: 'destroyed', environmentIds: rows.map(({ id }) => id) }
  }

  function isNew(tx: Store, { host, deliveryId }: Push): Promise<boolean> {
    if (deliveryId === null) return Promise.resolve(true)
    return tx.deliveries.remember(host, deliveryId, clock.now())
  }

  return { request, deploy, rollback, push }
}

const seenBefore: PushOutcome = { kind: 'ignored', why: 'this delivery was seen before' }

function checkBranch(branch: string): void {
  if (isValidBranchName(branch)) return
  throw new DaemonError('bad-request', `${JSON.stringify(branch)} is no name of a branch`)
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
        `${toSha} is the beginning of ${target.commits.length} commits: give more of it`,
      )
    case 'none':
      throw new DaemonError(
        'not-found',
        toSha === undefined
          ? `no earlier commit of ${branch} has run: there is nothing to go back to`
          : `no deploy of ${branch} at ${toSha} has run`,
      )
  }
}
