import type { Locks } from '../../async/locks.ts'
import { type DeployFacts, type DeployStep, deployPlan } from '../../domain/deploy-plan.ts'
import { hostnameOf } from '../../domain/hostnames.ts'
import type { Environment, Launch } from '../../domain/records.ts'
import { keptRelease } from '../../domain/releases.ts'
import { isLive } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Builder, Clock, Git, Logs, Store } from '../../ports.ts'
import type { Admission } from '../run/admission.ts'
import { revealed } from '../run/app-env.ts'
import { branchLock } from '../run/destroy.ts'
import type { Folders } from '../run/folders.ts'
import type { Launcher } from '../run/launcher.ts'
import { NoRoom, RefusedDeploy } from './faults.ts'
import type { Fenced } from './lease.ts'
import { from, type Progress } from './progress.ts'

export interface PrepareDeps {
  readonly store: Store
  readonly git: Git
  readonly builder: Builder
  readonly logs: Logs
  readonly clock: Clock
  readonly folders: Folders
  readonly admission: Admission
  readonly launcher: Launcher
  readonly locks: Locks
  readonly fenced: Fenced
  readonly baseDomain: string
}

type Step = 'fetch' | 'checkout' | 'admit' | 'build'

/** The steps of a deploy before anything runs, and the plan that they are part of. */
export function createPreparation(deps: PrepareDeps): {
  plan(progress: Progress): Promise<DeployStep[]>
  steps: Record<Step, (progress: Progress) => Promise<void>>
} {
  const { store, git, builder, logs, clock, folders, admission, launcher, locks, fenced } = deps

  /** Takes the release of a commit that ran before, if it is still there. */
  async function takeKept(progress: Progress, commitSha: string): Promise<boolean> {
    const { projectId, branch } = progress.entry
    return locks.run(branchLock(progress.entry), async () => {
      const kept = keptRelease(
        await store.environments.listSuccessful(projectId, branch),
        commitSha,
      )
      if (!kept?.release || !(await folders.hasRelease(kept.release))) return false
      progress.release = kept.release
      progress.letGo = folders.hold(kept.release)
      progress.launch = kept.launch
      return true
    })
  }

  async function plan(progress: Progress): Promise<DeployStep[]> {
    const { commitSha } = progress.entry
    if (commitSha === null) {
      return deployPlan({ source: 'head', hasCommit: false, isReleaseKept: false })
    }
    progress.commitSha = commitSha
    const isReleaseKept = await takeKept(progress, commitSha)
    const hasCommit = isReleaseKept || (await git.has(progress.source, commitSha))
    const facts: DeployFacts = { source: 'commit', hasCommit, isReleaseKept }
    return deployPlan(facts)
  }

  async function fetch(progress: Progress): Promise<void> {
    const { entry, source, signal, project } = progress
    await git.fetch(source, signal)
    if (entry.commitSha === null) {
      const head = await git.head(source, entry.branch)
      if (head === undefined) {
        throw new RefusedDeploy('not-found', `${project.name} has no branch ${entry.branch}`)
      }
      progress.commitSha = head
    } else if (!(await git.has(source, entry.commitSha))) {
      throw new DaemonError(
        'unprocessable',
        `commit ${entry.commitSha} is not in the repository any more`,
      )
    }
  }

  async function checkout(progress: Progress): Promise<void> {
    const { project, source, signal } = progress
    const release = await folders.newRelease(project.id)
    progress.release = release
    progress.isReleaseOwn = true
    progress.letGo = folders.hold(release)
    const path = folders.releasePath(release)
    await git.checkout(source, from(progress.commitSha, 'fetch'), path, signal)
    const built = await builder.plan(path)
    progress.plan = built
    progress.launch = built.launch
  }

  async function admit(progress: Progress): Promise<void> {
    const { entry, project } = progress
    const hostname = hostnameOf({
      branch: entry.branch,
      project: project.name,
      baseDomain: deps.baseDomain,
    })
    const live = await store.environments.findLive(project.id, entry.branch)
    const holder = await store.environments.findLiveByHostname(hostname)
    if (holder && (holder.projectId !== project.id || holder.branch !== entry.branch)) {
      throw await clash(hostname, holder)
    }
    const nodeId = await reserve(progress, from(progress.launch, 'checkout'), live)
    const environment = await locks.run(branchLock(entry), () =>
      fenced(progress, (tx) => createRow(tx, progress, hostname, nodeId)),
    )
    progress.environment = environment
    progress.reservation?.coverRow(environment.id)
  }

  async function reserve(
    progress: Progress,
    launch: Launch,
    live: Environment | undefined,
  ): Promise<number> {
    const { memoryMb } = launch
    const request = { memoryMb, replaces: live, aheadMb: progress.aheadMb() }
    const reserved = await admission.reserve(request)
    if (reserved.kind === 'placed') {
      progress.reservation = reserved.reservation
      return reserved.nodeId
    }
    if (reserved.kind === 'wait') throw new NoRoom(memoryMb)
    throw new DaemonError(
      'unprocessable',
      `it asks for ${memoryMb} MiB and no node has more than ${reserved.largestMb} MiB for apps: lower memory_mb in strata.json`,
    )
  }

  async function createRow(tx: Store, progress: Progress, hostname: string, nodeId: number) {
    const { entry, project, owner, release, isReleaseOwn, doer } = progress
    const launch = from(progress.launch, 'checkout')
    await checkLimit(tx, progress)
    const claim = await tx.environments.claimHostname(hostname, project.id, entry.branch)
    if (!claim.claimed) throw await clash(hostname, claim, tx)
    const now = clock.now()
    const environment = await tx.environments.create({
      projectId: project.id,
      branch: entry.branch,
      commitSha: from(progress.commitSha, 'fetch'),
      state: 'building',
      hostname,
      reason: null,
      operator: doer.operator,
      hostPort: null,
      containerName: null,
      nodeId,
      memoryMb: launch.memoryMb,
      release: isReleaseOwn ? null : release,
      launch: isReleaseOwn ? null : launch,
      createdAt: now,
      updatedAt: now,
      lastAccessedAt: now,
    })
    await tx.queue.update(entry.id, owner, { environmentId: environment.id })
    return environment
  }

  async function checkLimit(tx: Store, { project, entry }: Progress): Promise<void> {
    if (project.maxEnvironments === null) return
    const rows = await tx.environments.listByState(['building', 'running', 'paused', 'hibernating'])
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

  async function clash(
    hostname: string,
    holder: { projectId: number; branch: string },
    from: Store = store,
  ): Promise<RefusedDeploy> {
    const other = await from.projects.find(holder.projectId)
    return new RefusedDeploy(
      'conflict',
      `the host name ${hostname} belongs to branch ${holder.branch} of ${other?.name ?? 'another project'} (project ${holder.projectId}): rename the branch or destroy that environment`,
    )
  }

  async function build(progress: Progress): Promise<void> {
    const { signal } = progress
    const environment = from(progress.environment, 'admit')
    const release = from(progress.release, 'checkout')
    const plan = from(progress.plan, 'checkout')
    const path = folders.releasePath(release)
    const env = revealed(await launcher.envOf(environment, plan.launch.env))
    await launcher.linkVolume(environment, path, plan.launch.root)
    const sink = logs.sink(environment.id, 'build')
    try {
      await builder.build(path, plan, { env, output: sink.write, signal })
    } finally {
      await sink.end()
    }
    // Once more for a folder that the build has made.
    await launcher.linkVolume(environment, path, plan.launch.root)
    progress.environment = await fenced(progress, (tx) =>
      tx.environments
        .update(
          environment.id,
          { release, launch: plan.launch },
          { at: clock.now(), ifState: ['building'] },
        )
        .then(stillBuilding),
    )
  }

  return { plan, steps: { fetch, checkout, admit, build } }
}

/** A row that is not `building` any more was destroyed by somebody. */
export function stillBuilding(environment: Environment | undefined): Environment {
  if (environment && (environment.state === 'building' || isLive(environment.state))) {
    return environment
  }
  throw new DaemonError('unprocessable', 'the environment was destroyed while it was deployed')
}
