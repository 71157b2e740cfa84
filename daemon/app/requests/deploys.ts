import { passedMigrations } from '../../domain/passed-migrations.ts'
import { positionOf } from '../../domain/queue-order.ts'
import type { Environment, QueueEntry } from '../../domain/records.ts'
import { rollbackTarget } from '../../domain/rollback-target.ts'
import { DaemonError } from '../../errors.ts'
import { isValidBranchName } from '../../git/branch-name.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import { findProject } from '../ground/find-project.ts'
import type { Actor, DeployOutcome, DeployUseCases } from '../ground/use-cases.ts'
import { queueDeploy } from './queue-deploy.ts'

type RollbackRequest = Parameters<DeployUseCases['rollback']>[1]
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
    await findProject(store, projectId)
    checkBranch(branch)
    await diskReserve.require()
    return request(projectId, { branch, commitSha: null, wait }, actor)
  }

  async function rollback(
    projectId: number,
    { branch, toSha, overMigrations = false, wait }: RollbackRequest,
    actor: Actor,
  ): Promise<DeployOutcome> {
    await findProject(store, projectId)
    checkBranch(branch)
    const successful = await store.environments.listSuccessful(projectId, branch)
    const live = await store.environments.findLive(projectId, branch)
    const commitSha = targetOf(successful, live, toSha, branch)
    if (!overMigrations)
      refuseMigrations(branch, commitSha, passedMigrations(successful, commitSha))
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

/** Number of migrations that a message names. */
const maxNamed = 5

/** Throws `conflict` before anything changes: code from before a migration may read or write data wrongly after it. */
function refuseMigrations(branch: string, commitSha: string, passed: readonly string[]): void {
  if (passed.length === 0) return
  const others = passed.length - maxNamed
  const names = [...passed.slice(0, maxNamed), ...(others > 0 ? [`${others} others`] : [])]
  throw new DaemonError(
    'conflict',
    `${commitSha.slice(0, 12)} does not contain migrations that have run on the data of ${branch}: ${names.join(', ')}. A rollback changes the code and not the data, so nothing was changed: deploy a commit that undoes them, or repeat with over_migrations (strata rollback --over-migrations) if the older code fits the data`,
    { details: { migrations: passed } },
  )
}
