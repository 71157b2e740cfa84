import type { Locks } from '../../async/locks.ts'
import type { DaemonError } from '../../errors.ts'
import type { Clock, Logger } from '../../ports.ts'
import type { Announce } from '../ground/announce.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { Deploy } from './deploy.ts'
import { createFailedRows } from './failed-rows.ts'
import { decideFailure, type FailureDecision } from './failure-decision.ts'
import { LeaseLost } from './faults.ts'
import type { LeaseTransaction } from './lease.ts'

/** Outcome of a failed or interrupted attempt: the previous version still serves. */
export type FailedDeploy =
  | { readonly kind: 'failed'; readonly error: DaemonError; readonly environmentId: number | null }
  | { readonly kind: 'refused'; readonly error: DaemonError }
  /** The deploy is back in the queue, for a retry or for the next daemon. */
  | { readonly kind: 'released'; readonly why: 'retry' | 'interrupted' | 'no-disk' }
  /** The deploy is back in the queue, until `memoryMb` MiB are free. */
  | { readonly kind: 'blocked'; readonly memoryMb: number }
  | { readonly kind: 'lost' }

/** Time until a deploy looks for room on the disk again. */
const diskMs = 10_000

/**
 * Returns the failure handler. The handler undoes the deploy's steps and records the reason; the old version keeps
 * serving.
 */
export function createFailure(deps: {
  clock: Clock
  locks: Locks
  leaseTransaction: LeaseTransaction
  baseDomain: string
  announce: Announce
  logger: Logger
}): (deploy: Deploy, error: unknown) => Promise<FailedDeploy> {
  const { clock, locks, leaseTransaction, logger } = deps
  const rows = createFailedRows(deps)

  async function undoSteps({ residue, entry }: Deploy): Promise<void> {
    for (const undo of residue.undo.toReversed()) {
      try {
        await undo()
      } catch (err) {
        // The reconciler removes leftovers later. The failure must be recorded even if the cleanup throws.
        logger.error({ err, entryId: entry.id }, 'could not clean up after a failed deploy')
      }
    }
  }

  /** Requeues the deploy at its old position. */
  async function requeue(
    deploy: Deploy,
    changes: { notBefore: number; attempts: number; lastError: string | null },
    failedBecause?: string,
  ): Promise<void> {
    const { entry, owner } = deploy
    await leaseTransaction(deploy, async (tx) => {
      if (failedBecause !== undefined) {
        await rows.fail(tx, deploy, failedBecause, 'runs-again')
      }
      await tx.queue.release(entry.id, owner, changes)
    })
  }

  async function refuse(deploy: Deploy, { message }: DaemonError): Promise<void> {
    await leaseTransaction(deploy, async (tx) => {
      await tx.queue.remove(deploy.entry.id)
      if (deploy.residue.environment) await rows.fail(tx, deploy, message, 'ends')
      else await rows.auditRefusal(tx, deploy, message)
    })
  }

  async function giveUp(deploy: Deploy, reason: string): Promise<number | null> {
    return leaseTransaction(deploy, async (tx) => {
      await tx.queue.remove(deploy.entry.id)
      const { environment } = deploy.residue
      if (!environment) return rows.create(tx, deploy, reason)
      await rows.fail(tx, deploy, reason, 'ends')
      return environment.id
    })
  }

  async function record(deploy: Deploy, decision: FailureDecision): Promise<FailedDeploy> {
    const { attempts, lastError } = deploy.entry
    switch (decision.kind) {
      case 'abandon':
        return { kind: 'lost' }
      case 'await-memory': {
        const { memoryMb, message } = decision.cause
        await requeue(deploy, { notBefore: 0, attempts, lastError: message })
        return { kind: 'blocked', memoryMb }
      }
      case 'await-disk': {
        const { reason } = decision
        logger.warn({ entryId: deploy.entry.id }, `a deploy waits: ${reason}`)
        await requeue(deploy, { notBefore: clock.now() + diskMs, attempts, lastError: reason })
        return { kind: 'released', why: 'no-disk' }
      }
      case 'requeue':
        await requeue(deploy, { notBefore: 0, attempts, lastError }, decision.reason)
        return { kind: 'released', why: 'interrupted' }
      case 'refuse':
        await refuse(deploy, decision.error)
        return { kind: 'refused', error: decision.error }
      case 'retry': {
        const { message } = decision.error
        const retry = {
          notBefore: clock.now() + decision.delayMs,
          attempts: decision.attempts,
          lastError: message,
        }
        await requeue(deploy, retry, `${message}; retrying in ${decision.delayMs / 1000} s`)
        return { kind: 'released', why: 'retry' }
      }
      case 'give-up': {
        const { error } = decision
        const tries = decision.attempts > 1 ? ` (tried ${decision.attempts} times)` : ''
        const environmentId = await giveUp(deploy, `${error.message}${tries}`)
        return { kind: 'failed', error, environmentId }
      }
    }
  }

  return async (deploy, error) => {
    await undoSteps(deploy)
    const { entry, signal } = deploy
    try {
      return await locks.run(branchLock(entry), () => {
        const cause = signal.aborted ? signal.reason : error
        return record(deploy, decideFailure(cause, entry.attempts + 1))
      })
    } catch (fault) {
      if (fault instanceof LeaseLost) return { kind: 'lost' }
      throw fault
    }
  }
}
