import type { Locks } from '../../async/locks.ts'
import { withDeadline } from '../../async/with-deadline.ts'
import { isBranchWanted } from '../../domain/branch-filter.ts'
import { hostedName } from '../../domain/hosted.ts'
import type { Environment, Project, QueueEntry } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type {
  Clock,
  GitPush,
  HostedBranches,
  Logger,
  PushedRef,
  RefAnswer,
  Repositories,
  Store,
} from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import type { Actor, DeployOutcome, Pusher, RepositoryUseCases } from '../ground/use-cases.ts'
import type { DataUsage } from '../run/data-usage.ts'
import type { BranchRemoval } from './destroy-branch.ts'
import type { PushProgress } from './push-progress.ts'
import {
  acceptedChange,
  branchOfRef,
  type EndedPush,
  isAbsentId,
  refusalOf,
  settledChange,
} from './push-refs.ts'
import { queueDeploy } from './queue-deploy.ts'

/** Maximum time that a push waits for its deploys. They continue after it. */
const maxWaitMs = 600_000
/** Pushes of one repository between two runs of its maintenance. */
const pushesPerMaintenance = 50

export interface GitPushes extends RepositoryUseCases {
  /** Takes a branch back if the deploy of its push has failed. Call it when a deploy ends, before its callers know. */
  conclude(entry: QueueEntry, isOk: boolean): Promise<void>
  /** Queues the pushes that a killed daemon has accepted and not queued. Call it once, before the worker starts. */
  recover(): Promise<void>
}

/** The result of one ref of a push before its deploy. */
type Verdict =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'stored' | 'excluded' | 'deleted'; readonly branch: string }
  | {
      readonly kind: 'queued'
      readonly branch: string
      readonly commitSha: string
      readonly entryId: number
      readonly outcome: Promise<DeployOutcome>
    }

/** Creates the use cases of pushes to hosted repositories. A push is answered when its deploys have ended. */
export function createGitPushes(deps: {
  store: Store
  clock: Clock
  logger: Logger
  locks: Locks
  repositories: Repositories
  worker: Worker
  waiters: Waiters
  branchRemoval: BranchRemoval
  diskReserve: Pick<DiskReserve, 'require'>
  dataUsage: Pick<DataUsage, 'require'>
  progress: PushProgress
}): GitPushes {
  const { store, clock, logger, locks, repositories, worker, waiters, branchRemoval } = deps
  const pushCounts = new Map<number, number>()
  const exclusively = <T>(projectId: number, work: () => Promise<T>) =>
    locks.run(`repository ${projectId}`, work)

  async function findById(id: number): Promise<Project> {
    const project = await store.projects.find(id)
    if (project) return project
    throw new DaemonError('not-found', 'no such repository')
  }

  /** Changes the refs first, then queues the deploys: `recover` queues what a kill in between leaves. */
  async function accept(
    project: Project,
    push: GitPush,
    actor: Actor,
  ): Promise<Map<string, Verdict>> {
    const branches = await repositories.read(project.id)
    const verdicts = new Map<string, Verdict>()
    for (const ref of push.refs) {
      const why = refusalOf(ref, branches)
      if (why !== undefined) verdicts.set(ref.ref, { kind: 'refused', why })
    }
    if (push.isAtomic && verdicts.size > 0)
      return refuseAll(push, 'another ref of the push was refused')
    const open = push.refs.filter(({ ref }) => !verdicts.has(ref))
    const accepted = await moveRefs(project, open, branches, push.isAtomic, verdicts)
    await adoptDefaultBranch(project, accepted, branches)
    for (const [ref, verdict] of await queueOrUndo(project, accepted, actor)) {
      verdicts.set(ref, verdict)
    }
    return verdicts
  }

  /** Takes the branches back if the queue is full. */
  async function queueOrUndo(project: Project, refs: readonly PushedRef[], actor: Actor) {
    try {
      return await queueAll(project, refs, actor)
    } catch (error) {
      if (!(error instanceof DaemonError)) throw error
      const branches = await repositories.read(project.id)
      const changes = refs.flatMap(({ ref, newId }) => {
        const deploy = { branch: branchOfRef(ref) ?? '', commitSha: newId, isOk: false }
        return settledChange(branches, deploy) ?? []
      })
      await repositories.update(project.id, changes)
      return refuseAll({ refs, isAtomic: false }, error.message)
    }
  }

  async function moveRefs(
    project: Project,
    refs: readonly PushedRef[],
    branches: HostedBranches,
    isAtomic: boolean,
    verdicts: Map<string, Verdict>,
  ): Promise<PushedRef[]> {
    const changeOf = (ref: PushedRef) =>
      acceptedChange(ref, branches, isBranchWanted(project, branchOfRef(ref.ref) ?? ''))
    const groups = isAtomic ? [refs] : refs.map((ref) => [ref])
    const moved: PushedRef[] = []
    for (const group of groups) {
      try {
        await repositories.update(project.id, group.map(changeOf))
        moved.push(...group)
      } catch (error) {
        if (!(error instanceof DaemonError) || error.kind === 'internal') throw error
        for (const { ref } of group) verdicts.set(ref, { kind: 'refused', why: error.message })
      }
    }
    return moved
  }

  /** HEAD names the first pushed branch: `main` or `master` if the push has one. */
  async function adoptDefaultBranch(
    { id }: Project,
    refs: readonly PushedRef[],
    { heads, defaultBranch }: HostedBranches,
  ): Promise<void> {
    const created = refs
      .filter(({ newId }) => !isAbsentId(newId))
      .map(({ ref }) => branchOfRef(ref))
    const names = created.filter((name) => name !== undefined)
    if (heads.has(defaultBranch) || names.length === 0 || names.includes(defaultBranch)) return
    const name = ['main', 'master'].find((each) => names.includes(each)) ?? names[0]
    if (name !== undefined) await repositories.setDefaultBranch(id, name)
  }

  async function queueAll(
    project: Project,
    refs: readonly PushedRef[],
    actor: Actor,
  ): Promise<Map<string, Verdict>> {
    const removed: Environment[] = []
    const verdicts = await store.transaction(async (tx) => {
      const found = new Map<string, Verdict>()
      for (const { ref, newId } of refs) {
        const branch = branchOfRef(ref) ?? ''
        if (isAbsentId(newId)) {
          const detail = `the branch was deleted (${actor.operator})`
          const cause = { actor, detail, reason: 'branch_deleted' } as const
          removed.push(...(await branchRemoval.mark(tx, project.id, branch, cause)))
          found.set(ref, { kind: 'deleted', branch })
        } else if (!isBranchWanted(project, branch)) found.set(ref, { kind: 'excluded', branch })
        else {
          const request = { branch, commitSha: newId }
          const { id } = await queueDeploy(tx, clock, project.id, request, actor)
          const outcome = waiters.wait(id)
          outcome.catch(() => undefined)
          found.set(ref, { kind: 'queued', branch, commitSha: newId, entryId: id, outcome })
        }
      }
      return found
    })
    for (const verdict of verdicts.values()) {
      if (verdict.kind === 'queued') worker.forgetMemoryNeed(verdict.entryId)
      if (verdict.kind === 'deleted') {
        branchRemoval.finishLater({ projectId: project.id, branch: verdict.branch }, removed)
      }
    }
    setImmediate(worker.signal)
    return verdicts
  }

  async function answer(
    project: Project,
    verdict: Verdict,
    { say, gone, closing }: Pusher,
  ): Promise<string | undefined> {
    if (verdict.kind === 'refused') return verdict.why
    const { branch } = verdict
    if (verdict.kind === 'deleted') say(`${branch}: its environment is destroyed`)
    if (verdict.kind === 'excluded') say(`${branch}: stored; the branch filters exclude its deploy`)
    if (verdict.kind !== 'queued') return undefined
    const ended = new AbortController()
    const signal = AbortSignal.any([gone, ended.signal])
    const shown = deps.progress.show({ projectId: project.id, ...verdict }, say, signal)
    try {
      const outcome = await withDeadline(verdict.outcome, { clock, ms: maxWaitMs, signal: closing })
      ended.abort()
      await shown
      return await explain(verdict, outcome, say)
    } catch (error) {
      ended.abort()
      await shown
      if (!(error instanceof DaemonError)) throw error
      await settle(project.id, { ...verdict, isOk: false })
      return error.message
    }
  }

  async function explain(
    { branch, commitSha }: { branch: string; commitSha: string },
    outcome: DeployOutcome | 'late',
    say: (line: string) => void,
  ): Promise<string | undefined> {
    if (outcome === 'late' || outcome.kind === 'queued') {
      say(`${branch}: accepted; the deploy continues, strata status shows it`)
      return undefined
    }
    if (outcome.kind === 'failed') return outcome.reason
    const { environment } = outcome
    if (environment.commitSha !== commitSha) {
      say(`${branch}: a newer push replaced this one (${environment.commitSha.slice(0, 7)})`)
    }
    say(`${branch}: running at ${deps.progress.addressOf(environment)}`)
    return undefined
  }

  async function settle(projectId: number, push: EndedPush): Promise<void> {
    await exclusively(projectId, async () => {
      const entries = await store.queue.list([projectId])
      const running = entries.find(
        ({ state, branch, commitSha, operator }) =>
          state === 'running' &&
          branch === push.branch &&
          commitSha !== push.commitSha &&
          isGit(operator),
      )
      const ended = { ...push, running: running?.commitSha ?? undefined }
      const change = settledChange(await repositories.read(projectId), ended)
      if (change) await repositories.update(projectId, [change])
    })
  }

  async function maintainLater({ id }: Project): Promise<void> {
    const count = (pushCounts.get(id) ?? 0) + 1
    pushCounts.set(id, count % pushesPerMaintenance)
    if (count < pushesPerMaintenance) return
    await repositories.maintain(id)
  }

  async function recoverOne(project: Project): Promise<void> {
    await repositories.ensure(project.id)
    const { pending } = await repositories.read(project.id)
    const entries = await store.queue.list([project.id])
    for (const [branch, commitSha] of pending) {
      if (entries.some((entry) => entry.branch === branch)) continue
      const rows = await store.environments.list(project.id, branch)
      const row = rows.findLast((each) => each.commitSha === commitSha)
      if (row && row.state !== 'building') {
        await settle(project.id, { branch, commitSha, isOk: row.state !== 'build_failed' })
        continue
      }
      const actor = { operator: 'git', requestId: '' }
      await queueDeploy(store, clock, project.id, { branch, commitSha }, actor)
      logger.warn(
        { projectId: project.id, branch },
        'queued a push that was accepted before a kill',
      )
    }
  }

  return {
    async find(name) {
      const projects = await store.projects.list()
      const project = projects.find((each) => hostedName(each) === name)
      if (project) return project
      throw new DaemonError('not-found', 'no such repository')
    },

    async open(projectId, { isPush }) {
      await repositories.ensure(projectId)
      if (!isPush) return
      await deps.diskReserve.require()
      await deps.dataUsage.require(projectId)
    },

    async receive(projectId, push, pusher, actor) {
      const project = await findById(projectId)
      const verdicts = await exclusively(projectId, () => accept(project, push, actor))
      const answers = await Promise.all(
        push.refs.map(async ({ ref }): Promise<RefAnswer> => {
          const verdict = verdicts.get(ref)
          if (!verdict) throw new Error(`no verdict for ${ref}`)
          const refusal = await answer(project, verdict, pusher)
          return refusal === undefined ? { ref } : { ref, refusal }
        }),
      )
      maintainLater(project).catch((err) =>
        logger.warn({ err, projectId }, 'could not pack a hosted repository'),
      )
      return answers
    },

    async conclude({ projectId, branch, commitSha, operator }, isOk) {
      if (commitSha === null || !isGit(operator)) return
      const project = await store.projects.find(projectId)
      if (!project || hostedName(project) === undefined) return
      await settle(projectId, { branch, commitSha, isOk }).catch((err) =>
        logger.error({ err, projectId, branch }, 'could not settle a pushed branch'),
      )
    },

    async recover() {
      for (const project of await store.projects.list()) {
        if (hostedName(project) === undefined) continue
        await recoverOne(project).catch((err) =>
          logger.error({ err, projectId: project.id }, 'could not read a hosted repository'),
        )
      }
    },
  }
}

/** Returns true for the operator of a push to a hosted repository. */
function isGit(operator: string): boolean {
  return /^git(:|$)/.test(operator)
}

function refuseAll({ refs }: GitPush, why: string): Map<string, Verdict> {
  return new Map(refs.map(({ ref }) => [ref, { kind: 'refused', why }]))
}
