import type { DeployStep } from '../../domain/deploy-steps.ts'
import { endpointOf } from '../../domain/endpoints.ts'
import type { Environment, QueueEntry } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store } from '../../ports.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { GitSources } from '../ground/git-sources.ts'
import type { DataUsage } from '../run/data-usage.ts'
import type { Retirement } from '../run/retire.ts'
import type { Checkout, Deploy, Release, StartedApp, SwitchedRoute } from './deploy.ts'
import type { FailedDeploy } from './failure.ts'
import { AwaitsDisk, RefusedDeploy } from './faults.ts'
import type { ReleasePlan } from './release.ts'

/** Outcome of one attempt. `cleanUp` retires the old version and prunes releases, after the deploy has succeeded. */
export type Execution =
  | {
      readonly kind: 'running'
      readonly environment: Environment
      readonly durationMs: number
      readonly cleanUp: () => Promise<void>
    }
  | FailedDeploy

/** Runs one leased deploy to its end. Never throws for a failed deploy. */
export type Executor = (
  entry: QueueEntry,
  lease: Pick<Deploy, 'owner' | 'signal' | 'aheadMb' | 'admitted' | 'leaveSlot'>,
) => Promise<Execution>

/** The steps of a deploy. Each step persists its result and is safe to repeat after a crash. */
export interface DeploySteps {
  /** Returns the newest commit of the branch, or the requested one. */
  fetch(deploy: Deploy): Promise<string>
  checkout(deploy: Deploy, commitSha: string): Promise<Checkout>
  admit(deploy: Deploy, release: Release): Promise<Environment>
  provideSecrets(deploy: Deploy, environment: Environment, release: Release): Promise<void>
  provideDatabase(deploy: Deploy, environment: Environment, release: Release): Promise<void>
  build(deploy: Deploy, environment: Environment, checkout: Checkout): Promise<Environment>
  start(deploy: Deploy, environment: Environment): Promise<StartedApp>
  awaitHealthy(deploy: Deploy, app: StartedApp): Promise<void>
  switchRoute(deploy: Deploy, environment: Environment): Promise<SwitchedRoute>
  /** Waits until proxies know a new host name. Never throws. */
  awaitProxy(deploy: Deploy, switched: SwitchedRoute): Promise<void>
  prune(live: Environment): Promise<void>
}

export function createExecutor(deps: {
  store: Store
  clock: Clock
  sources: GitSources
  retirement: Retirement
  failpoints: Failpoints
  planRelease: (deploy: Deploy) => Promise<ReleasePlan>
  diskReserve: Pick<DiskReserve, 'require'>
  dataUsage: Pick<DataUsage, 'require'>
  /** Prepares the project's cell in the background. */
  prepare: (projectId: number) => void
  steps: DeploySteps
  fail: (deploy: Deploy, error: unknown) => Promise<FailedDeploy>
}): Executor {
  const { store, clock, sources, retirement, failpoints, planRelease, steps, fail } = deps
  const fetch = step('fetch', steps.fetch)
  const checkout = step('checkout', steps.checkout)
  const admit = step('admit', steps.admit)
  const provideDatabase = step('database', steps.provideDatabase)
  const build = step('build', steps.build)
  const start = step('start', steps.start)
  const awaitHealthy = step('await-healthy', steps.awaitHealthy)
  const switchRoute = step('switch-route', steps.switchRoute)

  async function run(deploy: Deploy): Promise<Execution> {
    deps.prepare(deploy.project.id)
    const release = await obtainRelease(deploy)
    const admitted = await admit(deploy, release)
    await steps.provideSecrets(deploy, admitted, release)
    await provideDatabase(deploy, admitted, release)
    const built = release.kind === 'kept' ? admitted : await build(deploy, admitted, release)
    const app = await start(deploy, built)
    deploy.leaveSlot()
    await awaitHealthy(deploy, app)
    if (release.kind === 'checkout') await deps.diskReserve.require()
    const switched = await switchRoute(deploy, app.environment)
    const { environment, old } = switched
    const durationMs = clock.now() - deploy.startedAt
    await steps.awaitProxy(deploy, switched)
    return {
      kind: 'running',
      environment,
      durationMs,
      async cleanUp() {
        if (old?.state === 'running') await drainAndStop(old)
        // A runtime may retain the app of a sleeping version.
        else if (old) await retirement.retire(old, null)
        await deploy.residue.move?.complete()
        await failpoints.hit('deploy:prune')
        release.unhold()
        await steps.prune(environment)
      },
    }
  }

  async function obtainRelease(deploy: Deploy): Promise<Release> {
    const plan = await planRelease(deploy)
    switch (plan.kind) {
      case 'reuse':
        return plan.release
      case 'checkout':
        await awaitDisk()
        return checkout(deploy, plan.commitSha)
      case 'fetch':
        await awaitDisk()
        return checkout(deploy, await fetch(deploy))
    }
  }

  /** Ends the attempt before it writes anything if the disk has no room for a build. */
  async function awaitDisk(): Promise<void> {
    await deps.diskReserve.require().catch((error: DaemonError) => {
      throw new AwaitsDisk(error.message)
    })
  }

  async function requireQuota({ project }: Deploy): Promise<void> {
    await deps.dataUsage.require(project.id).catch((error: DaemonError) => {
      throw new RefusedDeploy(error.kind, error.message)
    })
  }

  function drainAndStop(old: Environment): Promise<void> {
    const onStep = (name: DeployStep) => failpoints.hit(`deploy:${name}`)
    return retirement.retire(old, endpointOf(old), { onStep })
  }

  /** Wraps a step: throws before the step if the deploy is aborted, and lets tests interrupt the deploy. */
  function step<Input extends unknown[], Output>(
    name: DeployStep,
    work: (deploy: Deploy, ...input: Input) => Promise<Output>,
  ) {
    return async (deploy: Deploy, ...input: Input): Promise<Output> => {
      deploy.signal.throwIfAborted()
      await failpoints.hit(`deploy:${name}`)
      return work(deploy, ...input)
    }
  }

  return async (entry, lease) => {
    const project = await store.projects.find(entry.projectId)
    if (!project) {
      return { kind: 'refused', error: new DaemonError('not-found', 'the project was removed') }
    }
    const deploy: Deploy = {
      ...lease,
      entry,
      project,
      source: sources.of(project),
      actor: { operator: entry.operator, requestId: entry.requestId },
      startedAt: clock.now(),
      residue: {
        commitSha: entry.commitSha,
        memoryMb: 0,
        environment: null,
        undo: [],
        releaseMemory: () => undefined,
      },
    }
    try {
      await requireQuota(deploy)
      return await run(deploy)
    } catch (error) {
      return await fail(deploy, error)
    } finally {
      deploy.residue.releaseMemory()
    }
  }
}
