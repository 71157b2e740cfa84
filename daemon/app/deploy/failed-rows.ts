import { branchHostname } from '../../domain/hostnames.ts'
import type { Environment } from '../../domain/records.ts'
import { isLive } from '../../domain/states.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Announce } from '../ground/announce.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Deploy } from './deploy.ts'

/** Records failed deploys as environments and audit records, inside the caller's transaction. */
export interface FailedRows {
  /**
   * Marks the deploy's environment `build_failed`. No-op if the deploy has none or another request destroyed it. A deploy
   * that runs again has not failed for receivers of events.
   */
  fail(tx: Store, deploy: Deploy, reason: string, next: 'ends' | 'runs-again'): Promise<void>
  /**
   * Inserts a `build_failed` environment for a deploy that failed before `admit`. Returns its id, or null if no node
   * exists.
   */
  create(tx: Store, deploy: Deploy, reason: string): Promise<number | null>
  /** Writes an audit record for a deploy without an environment. */
  auditRefusal(tx: Store, deploy: Deploy, reason: string): Promise<void>
}

export function createFailedRows(deps: {
  clock: Clock
  baseDomain: string
  announce: Announce
}): FailedRows {
  const { clock, baseDomain, announce } = deps

  async function audit(
    tx: Store,
    { actor }: Deploy,
    environment: FailedEnvironment,
    reason: string,
  ) {
    const { id, projectId, branch } = environment
    const subject =
      id === undefined ? { projectId, branch } : { environment: { id, projectId, branch } }
    await tx.audit.write(auditRow('build_failed', subject, reason, actor, clock.now()))
  }

  async function announceFailure(tx: Store, environment: FailedEnvironment, reason: string) {
    await announce(tx, { kind: 'deploy.failed', environment, message: reason })
  }

  return {
    async fail(tx, deploy, reason, next) {
      const { environment } = deploy.residue
      if (!environment) return
      const changes = { state: 'build_failed', reason, hostPort: null, release: null } as const
      const options = { at: clock.now(), ifState: ['building'] } as const
      const failed = await tx.environments.update(environment.id, changes, options)
      if (!failed) return
      await audit(tx, deploy, failed, reason)
      if (next === 'ends') await announceFailure(tx, failed, reason)
      await releaseUnusedHostname(tx, failed)
    },

    async create(tx, deploy, reason) {
      const { entry, project, actor, residue } = deploy
      const { branch } = entry
      const [node] = await tx.nodes.list()
      if (!node) return null
      const now = clock.now()
      const environment = await tx.environments.create({
        projectId: project.id,
        branch,
        commitSha: residue.commitSha ?? unknownCommit,
        state: 'build_failed',
        hostname: branchHostname({ branch, project: project.name, baseDomain }),
        reason,
        operator: actor.operator,
        hostPort: null,
        hostAddress: null,
        containerName: null,
        nodeId: node.id,
        memoryMb: residue.memoryMb,
        release: null,
        launch: null,
        createdAt: now,
        updatedAt: now,
        lastAccessedAt: now,
      })
      await audit(tx, deploy, environment, reason)
      await announceFailure(tx, environment, reason)
      await releaseUnusedHostname(tx, environment)
      return environment.id
    },

    async auditRefusal(tx, deploy, reason) {
      const { projectId, branch } = deploy.entry
      await audit(tx, deploy, { projectId, branch }, reason)
      const { commitSha } = deploy.residue
      const commit = commitSha === null ? {} : { commitSha }
      await announceFailure(tx, { projectId, branch, ...commit }, reason)
      await releaseUnusedHostname(tx, { projectId, branch })
    },
  }
}

/** Has no id for a deploy without an environment. */
type FailedEnvironment = Pick<Environment, 'projectId' | 'branch'> & Partial<Environment>

async function releaseUnusedHostname(
  tx: Store,
  { projectId, branch }: Pick<Environment, 'projectId' | 'branch'>,
): Promise<void> {
  const rows = await tx.environments.list(projectId, branch)
  const isUsed = rows.some(({ state }) => isLive(state) || state === 'building')
  if (!isUsed) await tx.environments.releaseHostname(projectId, branch)
}

/** Git's null commit: the deploy failed before git resolved the branch. */
const unknownCommit = '0'.repeat(40)
