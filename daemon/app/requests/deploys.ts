import { positionOf } from '../../domain/queue-order.ts'
import type { Environment, Project, QueueEntry } from '../../domain/records.ts'
import { rollbackTarget } from '../../domain/rollback-target.ts'
import { DaemonError } from '../../errors.ts'
import { isValidBranchName } from '../../git/branch-name.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import type { Actor, DeployOutcome, DeployUseCases } from '../ground/use-cases.ts'
import { queueDeploy } from './queue-deploy.ts'

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
  diskReserve: Pick<DiskReserve, 'require'>
  push: DeployUseCases['push']
}): Deploys {
  const { store, clock, worker, waiters, diskReserve, push } = deps

  async function findProject(id: number): Promise<Project> {
    const project = await store.projects.find(id)
    if (!project) throw new DaemonError('not-found', `no project ${id}`)
    return project
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
    const entry = await queueDeploy(store, clock, projectId, input, actor)
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
    await diskReserve.require()
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

  return { request, deploy, rollback, push }
}

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
