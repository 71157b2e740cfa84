import type { Environment } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import { RefusedDeploy } from '../deploy/faults.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { Doer } from '../ground/audit-row.ts'
import type { Logger } from '../ground/deps.ts'
import type { Destruction } from '../run/destroy.ts'

/** The end of all that a branch has, deploys that wait and go on included. */
export interface BranchEnd {
  /** Says so in the database; returns the rows that were destroyed by it. */
  mark(tx: Store, projectId: number, branch: string, end: End): Promise<Environment[]>
  /** Ends its deploy and stops what was marked. */
  finish(branch: Branch, rows: readonly Environment[]): Promise<void>
  /** The same, with nobody waiting: what goes wrong is logged, and repaired by the reconciler. */
  finishLater(branch: Branch, rows: readonly Environment[]): void
}

interface End {
  readonly doer: Doer
  readonly detail: string
  readonly purgeSecrets?: boolean
}

interface Branch {
  readonly projectId: number
  readonly branch: string
}

export function createBranchEnd(deps: {
  destruction: Destruction
  worker: Worker
  waiters: Waiters
  logger: Logger
}): BranchEnd {
  const { destruction, worker, waiters, logger } = deps

  async function mark(tx: Store, projectId: number, branch: string, end: End) {
    for (const entry of await tx.queue.list([projectId])) {
      if (entry.branch !== branch || entry.state !== 'waiting') continue
      await tx.queue.remove(entry.id)
      waiters.fail(entry.id, gone(branch))
    }
    const marked: Environment[] = []
    for (const row of await tx.environments.list(projectId, branch)) {
      if (await destruction.mark(tx, row, { kind: 'destroy', ...end })) marked.push(row)
    }
    await tx.environments.releaseHostname(projectId, branch)
    return marked
  }

  async function finish(branch: Branch, rows: readonly Environment[]): Promise<void> {
    await worker.abort(branch, gone(branch.branch))
    const own = rows.filter((row) => row.projectId === branch.projectId)
    await Promise.all(own.map(destruction.finish))
  }

  return {
    mark,
    finish,
    finishLater(branch, rows) {
      finish(branch, rows).catch((err) => logger.error({ err, ...branch }, 'not cleared away yet'))
    },
  }
}

function gone(branch: string): RefusedDeploy {
  return new RefusedDeploy('not-found', `the branch ${branch} was deleted`)
}
