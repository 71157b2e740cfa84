import type { Environment, TrashReason } from '../../domain/records.ts'
import type { Logger, Store } from '../../ports.ts'
import { RefusedDeploy } from '../deploy/faults.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { AuditActor } from '../ground/audit-row.ts'
import type { Destruction } from '../run/destroy.ts'

/** Ends a branch: removes its waiting deploys, aborts its running deploy and destroys its environments. */
export interface BranchRemoval {
  /**
   * Removes waiting deploys and marks all environments destroyed, inside the caller's transaction. Returns the marked
   * environments.
   */
  mark(tx: Store, projectId: number, branch: string, cause: EndCause): Promise<Environment[]>
  /** Aborts the running deploy and stops the marked environments of the branch. */
  finish(branch: Branch, rows: readonly Environment[]): Promise<void>
  /** Runs `finish` in the background. Logs an error; the reconciler repairs the rest. */
  finishLater(branch: Branch, rows: readonly Environment[]): void
}

interface EndCause {
  readonly actor: AuditActor
  readonly detail: string
  readonly reason: TrashReason
  readonly purgeData?: boolean
}

interface Branch {
  readonly projectId: number
  readonly branch: string
}

export function createBranchRemoval(deps: {
  destruction: Destruction
  worker: Worker
  waiters: Waiters
  logger: Logger
}): BranchRemoval {
  const { destruction, worker, waiters, logger } = deps

  async function mark(tx: Store, projectId: number, branch: string, cause: EndCause) {
    for (const entry of await tx.queue.list([projectId])) {
      if (entry.branch !== branch || entry.state !== 'waiting') continue
      await tx.queue.remove(entry.id)
      waiters.fail(entry.id, branchDeleted(branch))
    }
    const marked: Environment[] = []
    for (const row of await tx.environments.list(projectId, branch)) {
      if (await destruction.mark(tx, row, { kind: 'destroy', ...cause })) marked.push(row)
    }
    await tx.environments.releaseHostname(projectId, branch)
    return marked
  }

  async function finish(branch: Branch, rows: readonly Environment[]): Promise<void> {
    await worker.abort(branch, branchDeleted(branch.branch))
    const own = rows.filter((row) => row.projectId === branch.projectId)
    await Promise.all(own.map(destruction.finish))
  }

  return {
    mark,
    finish,
    finishLater(branch, rows) {
      finish(branch, rows).catch((err) =>
        logger.error({ err, ...branch }, 'could not finish a deleted branch'),
      )
    },
  }
}

function branchDeleted(branch: string): RefusedDeploy {
  return new RefusedDeploy('not-found', `the branch ${branch} was deleted`)
}
