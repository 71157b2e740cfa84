import type { Locks } from '../../async/locks.ts'
import { hostnameOf } from '../../domain/hostnames.ts'
import type { Environment } from '../../domain/records.ts'
import { deployDelayMs } from '../../domain/retry.ts'
import { isLive } from '../../domain/states.ts'
import type { DaemonError } from '../../errors.ts'
import type { Clock, Logs, Runtime, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Logger } from '../ground/deps.ts'
import { branchLock } from '../run/destroy.ts'
import type { Folders } from '../run/folders.ts'
import { failedGraceMs, processName } from '../run/launcher.ts'
import { Interrupted, LeaseLost, NoRoom, RefusedDeploy, toDeployError } from './faults.ts'
import type { Fenced } from './lease.ts'
import type { Progress } from './progress.ts'

/** How a deploy ended that moved no traffic. */
export type Failed =
  | { readonly kind: 'failed'; readonly error: DaemonError; readonly environmentId: number | null }
  | { readonly kind: 'refused'; readonly error: DaemonError }
  /** Back in the line: to be tried again at its time, when there is room, by the next daemon. */
  | { readonly kind: 'released'; readonly why: 'retry' | 'interrupted' }
  | { readonly kind: 'blocked'; readonly memoryMb: number }
  | { readonly kind: 'lost' }

export interface FailureDeps {
  readonly store: Store
  readonly clock: Clock
  readonly runtime: Runtime
  readonly logs: Logs
  readonly folders: Folders
  readonly locks: Locks
  readonly fenced: Fenced
  readonly baseDomain: string
  readonly logger: Logger
}

/** Undoes what a deploy did in the world, keeps the old version, and writes down why. */
export function createFailure(
  deps: FailureDeps,
): (progress: Progress, error: unknown) => Promise<Failed> {
  const { clock, runtime, logs, folders, locks, fenced, logger } = deps

  return async function fail(progress, error) {
    await clearAway(progress).catch((err) => {
      // The reconciler looks after it; what happened is written down all the same.
      logger.error({ err, entryId: progress.entry.id }, 'a failed deploy was not cleared away')
    })
    try {
      return await locks.run(branchLock(progress.entry), () => record(progress, error))
    } catch (fault) {
      if (fault instanceof LeaseLost) return { kind: 'lost' }
      throw fault
    }
  }

  async function clearAway({ environment, instance, release, isReleaseOwn, letGo }: Progress) {
    if (instance && environment) {
      await runtime.stop(processName(environment.id), failedGraceMs)
    }
    if (environment) logs.end(environment.id)
    letGo()
    if (release !== null && isReleaseOwn) await folders.removeRelease(release)
  }

  function record(progress: Progress, error: unknown): Promise<Failed> {
    const cause = progress.signal.aborted ? progress.signal.reason : error
    if (cause instanceof LeaseLost) return Promise.resolve({ kind: 'lost' })
    if (cause instanceof NoRoom) return putBack(progress, cause.message)
    if (cause instanceof Interrupted) return interrupt(progress, cause)
    if (cause instanceof RefusedDeploy) return refuse(progress, cause)
    const fault = toDeployError(cause)
    const attempts = progress.entry.attempts + 1
    const delayMs = fault.kind === 'transient' ? deployDelayMs(attempts) : undefined
    if (delayMs === undefined) return giveUp(progress, fault, attempts)
    return retry(progress, fault, attempts, delayMs)
  }

  async function putBack(progress: Progress, lastError: string): Promise<Failed> {
    const { entry, owner } = progress
    await fenced(progress, async (tx) => {
      const { attempts } = entry
      await tx.queue.release(entry.id, owner, { notBefore: 0, attempts, lastError })
    })
    return { kind: 'blocked', memoryMb: progress.launch?.memoryMb ?? 0 }
  }

  async function interrupt(progress: Progress, { message }: Interrupted): Promise<Failed> {
    const { entry, owner } = progress
    await fenced(progress, async (tx) => {
      await failRow(tx, progress, message)
      const { attempts, lastError } = entry
      await tx.queue.release(entry.id, owner, { notBefore: 0, attempts, lastError })
    })
    return { kind: 'released', why: 'interrupted' }
  }

  async function retry(
    progress: Progress,
    { message }: DaemonError,
    attempts: number,
    delayMs: number,
  ): Promise<Failed> {
    const { entry, owner } = progress
    await fenced(progress, async (tx) => {
      await failRow(tx, progress, `${message}; it is tried again in ${delayMs / 1000} s`)
      const notBefore = clock.now() + delayMs
      await tx.queue.release(entry.id, owner, { notBefore, attempts, lastError: message })
    })
    return { kind: 'released', why: 'retry' }
  }

  async function refuse(progress: Progress, error: RefusedDeploy): Promise<Failed> {
    const { entry, doer } = progress
    const { projectId, branch } = entry
    await fenced(progress, async (tx) => {
      await tx.queue.remove(entry.id)
      if (progress.environment) return failRow(tx, progress, error.message)
      const subject = { projectId, branch }
      await tx.audit.write(auditRow('build_failed', subject, error.message, doer, clock.now()))
      await releaseUnusedHostname(tx, subject)
    })
    return { kind: 'refused', error }
  }

  async function giveUp(progress: Progress, error: DaemonError, attempts: number): Promise<Failed> {
    const { entry } = progress
    const reason = attempts > 1 ? `${error.message} (tried ${attempts} times)` : error.message
    const environmentId = await fenced(progress, async (tx) => {
      await tx.queue.remove(entry.id)
      if (progress.environment) {
        await failRow(tx, progress, reason)
        return progress.environment.id
      }
      return createFailedRow(tx, progress, reason)
    })
    return { kind: 'failed', error, environmentId }
  }

  /** The row of the deploy, if it has one that nobody has destroyed. */
  async function failRow(tx: Store, progress: Progress, reason: string): Promise<void> {
    if (!progress.environment) return
    const changes = { state: 'build_failed', reason, hostPort: null, release: null } as const
    const options = { at: clock.now(), ifState: ['building'] } as const
    const environment = await tx.environments.update(progress.environment.id, changes, options)
    if (environment) await writeFailure(tx, progress, environment, reason)
  }

  /** A deploy that failed before it had a row leaves one all the same. */
  async function createFailedRow(tx: Store, progress: Progress, reason: string) {
    const { entry, project, doer, launch } = progress
    const [node] = await tx.nodes.list()
    if (!node) return null
    const now = clock.now()
    const environment = await tx.environments.create({
      projectId: project.id,
      branch: entry.branch,
      commitSha: progress.commitSha ?? unknownCommit,
      state: 'build_failed',
      hostname: hostnameOf({
        branch: entry.branch,
        project: project.name,
        baseDomain: deps.baseDomain,
      }),
      reason,
      operator: doer.operator,
      hostPort: null,
      containerName: null,
      nodeId: node.id,
      memoryMb: launch?.memoryMb ?? 0,
      release: null,
      launch: null,
      createdAt: now,
      updatedAt: now,
      lastAccessedAt: now,
    })
    await writeFailure(tx, progress, environment, reason)
    return environment.id
  }

  async function writeFailure(
    tx: Store,
    { doer }: Progress,
    environment: Environment,
    reason: string,
  ): Promise<void> {
    await tx.audit.write(auditRow('build_failed', { environment }, reason, doer, clock.now()))
    await releaseUnusedHostname(tx, environment)
  }
}

async function releaseUnusedHostname(
  tx: Store,
  { projectId, branch }: Pick<Environment, 'projectId' | 'branch'>,
): Promise<void> {
  const rows = await tx.environments.list(projectId, branch)
  const isUsed = rows.some(({ state }) => isLive(state) || state === 'building')
  if (!isUsed) await tx.environments.releaseHostname(projectId, branch)
}

/** As git writes "no commit": the repository could not be asked. */
const unknownCommit = '0'.repeat(40)
