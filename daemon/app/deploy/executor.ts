import type { DeployStep } from '../../domain/deploy-plan.ts'
import type { Environment, QueueEntry } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Reached } from '../ground/failpoints.ts'
import type { GitSources } from '../ground/git-sources.ts'
import type { Retirement } from '../run/retire.ts'
import type { Failed } from './failure.ts'
import { from, type Progress } from './progress.ts'

/** What a deploy came to. `tail` clears the old version away: the deploy is done without it. */
export type Execution =
  | {
      readonly kind: 'running'
      readonly environment: Environment
      readonly durationMs: number
      readonly tail: () => Promise<void>
    }
  | Failed

export interface Run {
  readonly owner: string
  readonly signal: AbortSignal
  readonly aheadMb: () => number
}

export type Executor = (entry: QueueEntry, run: Run) => Promise<Execution>

type FrontStep = Exclude<DeployStep, TailStep>
type TailStep = 'drain' | 'stop-old' | 'prune'

export function createExecutor(deps: {
  store: Store
  clock: Clock
  sources: GitSources
  retirement: Retirement
  reached: Reached
  plan: (progress: Progress) => Promise<DeployStep[]>
  /** One action a step; each persists what it did and can be repeated. */
  steps: Readonly<Record<FrontStep, (progress: Progress) => Promise<void>>>
  prune: (live: Environment) => Promise<void>
  fail: (progress: Progress, error: unknown) => Promise<Failed>
}): Executor {
  const { store, clock, sources, retirement, reached, steps, prune, fail } = deps

  async function begin(entry: QueueEntry, run: Run): Promise<Progress | undefined> {
    const project = await store.projects.find(entry.projectId)
    if (!project) return undefined
    return {
      ...run,
      entry,
      project,
      source: sources.of(project),
      doer: { operator: entry.operator, requestId: entry.requestId },
      startedAt: clock.now(),
      commitSha: null,
      release: null,
      isReleaseOwn: false,
      letGo: () => undefined,
      plan: null,
      launch: null,
      reservation: null,
      environment: null,
      instance: null,
      old: null,
    }
  }

  async function moveTraffic(progress: Progress): Promise<void> {
    for (const step of await deps.plan(progress)) {
      if (isTail(step)) return
      progress.signal.throwIfAborted()
      await reached(`deploy:${step}`)
      await steps[step](progress)
    }
  }

  /** What may be left to the reconciler and to the next deploy of the branch. */
  async function clearAway(progress: Progress): Promise<void> {
    const { old } = progress
    if (old?.state === 'running') {
      const onStep = (step: string) => reached(`deploy:${step}`)
      await retirement.retire(old, old.hostPort, { onStep })
    }
    await reached('deploy:prune')
    progress.letGo()
    await prune(from(progress.environment, 'admit'))
  }

  return async (entry, run) => {
    const progress = await begin(entry, run)
    if (!progress) {
      return { kind: 'refused', error: new DaemonError('not-found', 'the project was removed') }
    }
    try {
      await moveTraffic(progress)
    } catch (error) {
      return await fail(progress, error)
    } finally {
      progress.reservation?.release()
    }
    return {
      kind: 'running',
      environment: from(progress.environment, 'admit'),
      durationMs: clock.now() - progress.startedAt,
      tail: () => clearAway(progress),
    }
  }
}

function isTail(step: DeployStep): step is TailStep {
  return step === 'drain' || step === 'stop-old' || step === 'prune'
}
