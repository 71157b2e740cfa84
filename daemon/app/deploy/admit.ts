import type { Locks } from '../../async/locks.ts'
import { branchHostname } from '../../domain/hostnames.ts'
import { type Environment, type Launch, memoryOf } from '../../domain/records.ts'
import { liveStates } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logs, Store } from '../../ports.ts'
import type { Announce } from '../ground/announce.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { Admission } from '../run/admission.ts'
import type { Trash } from '../run/trash.ts'
import type { Deploy, Release } from './deploy.ts'
import { AwaitsMemory, RefusedDeploy } from './faults.ts'
import type { LeaseTransaction } from './lease.ts'

/** The step that reserves memory on a node, claims the host name, and inserts the environment. */
export function createAdmit(deps: {
  store: Store
  logs: Logs
  clock: Clock
  admission: Admission
  locks: Locks
  trash: Pick<Trash, 'giveBack'>
  leaseTransaction: LeaseTransaction
  announce: Announce
  baseDomain: string
}): (deploy: Deploy, release: Release) => Promise<Environment> {
  const { store, logs, clock, admission, locks, trash, leaseTransaction, baseDomain } = deps

  /** Returns the id of the node with enough free memory. */
  async function reserve(
    { aheadMb, admitted, residue }: Deploy,
    launch: Launch,
    live: Environment | undefined,
  ) {
    const memoryMb = memoryOf(launch)
    const reserved = await admission.reserve({ memoryMb, replaces: live, aheadMb: aheadMb() })
    if (reserved.kind === 'wait') throw new AwaitsMemory(memoryMb)
    if (reserved.kind === 'never') {
      throw new DaemonError(
        'unprocessable',
        `the app requests ${memoryMb} MiB and no node has more than ${reserved.largestMb} MiB for apps: lower memory_mb in strata.json`,
      )
    }
    residue.releaseMemory = reserved.reservation.release
    admitted()
    return reserved
  }

  async function createRow(
    tx: Store,
    { entry, project, owner, actor }: Deploy,
    release: Release,
    { hostname, nodeId }: { hostname: string; nodeId: number },
  ): Promise<Environment> {
    await checkLimit(tx, { project, entry })
    const claim = await tx.environments.claimHostname(hostname, project.id, entry.branch)
    if (!claim.claimed) throw await hostnameConflict(tx, hostname, claim)
    const isKept = release.kind === 'kept'
    const now = clock.now()
    const environment = await tx.environments.create({
      projectId: project.id,
      branch: entry.branch,
      commitSha: release.commitSha,
      state: 'building',
      hostname,
      reason: null,
      operator: actor.operator,
      hostPort: null,
      hostAddress: null,
      containerName: null,
      nodeId,
      memoryMb: memoryOf(release.launch),
      release: isKept ? release.name : null,
      launch: isKept ? release.launch : null,
      createdAt: now,
      updatedAt: now,
      lastAccessedAt: now,
    })
    await tx.queue.update(entry.id, owner, { environmentId: environment.id })
    await deps.announce(tx, { kind: 'deploy.started', environment, message: 'the deploy runs' })
    return environment
  }

  return async (deploy, release) => {
    const { entry, project, residue } = deploy
    const { branch } = entry
    const hostname = branchHostname({ branch, project: project.name, baseDomain })
    const live = await store.environments.findLive(project.id, branch)
    const holder = await store.environments.findLiveByHostname(hostname)
    if (holder && (holder.projectId !== project.id || holder.branch !== branch)) {
      throw await hostnameConflict(store, hostname, holder)
    }
    const { nodeId, reservation } = await reserve(deploy, release.launch, live)
    const environment = await locks.run(branchLock(entry), async () => {
      const row = await leaseTransaction(deploy, (tx) =>
        createRow(tx, deploy, release, { hostname, nodeId }),
      )
      residue.environment = row
      await trash.giveBack(row, deploy.actor)
      return row
    })
    residue.undo.push(() => logs.end(environment.id))
    reservation.coverRow(environment.id)
    return environment
  }
}

/** Throws RefusedDeploy if the project has `maxEnvironments` other branches. */
async function checkLimit(tx: Store, { project, entry }: Pick<Deploy, 'project' | 'entry'>) {
  if (project.maxEnvironments === null) return
  const rows = await tx.environments.listByState(['building', ...liveStates])
  const others = new Set(
    rows
      .filter(({ projectId, branch }) => projectId === project.id && branch !== entry.branch)
      .map(({ branch }) => branch),
  )
  if (others.size < project.maxEnvironments) return
  throw new RefusedDeploy(
    'unprocessable',
    `${project.name} has ${others.size} environments, as many as max_environments allows: destroy one or raise it`,
  )
}

async function hostnameConflict(
  store: Store,
  hostname: string,
  holder: { projectId: number; branch: string },
): Promise<RefusedDeploy> {
  const other = await store.projects.find(holder.projectId)
  return new RefusedDeploy(
    'conflict',
    `the host name ${hostname} belongs to branch ${holder.branch} of ${other?.name ?? 'another project'} (project ${holder.projectId}): rename the branch or destroy that environment`,
  )
}
