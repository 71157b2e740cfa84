import { availableParallelism } from 'node:os'
import { createLocks } from '../async/locks.ts'
import { createExecutor } from './deploy/executor.ts'
import { createFailure } from './deploy/failure.ts'
import { createFenced } from './deploy/lease.ts'
import { createPreparation } from './deploy/prepare.ts'
import { createPrune } from './deploy/prune.ts'
import { createSwitch } from './deploy/switch.ts'
import { createWaiters } from './deploy/waiters.ts'
import { createWorker, type Worker } from './deploy/worker.ts'
import type { CoreDeps } from './ground/deps.ts'
import { createReached } from './ground/failpoints.ts'
import { createGitSources } from './ground/git-sources.ts'
import type { UseCases } from './ground/use-cases.ts'
import { createEnvironments } from './manage/environments.ts'
import { createInfra } from './manage/infra.ts'
import { createNodes } from './manage/nodes.ts'
import { createProjects } from './manage/projects.ts'
import { createStats } from './manage/stats.ts'
import { createBranchEnd } from './requests/branch-end.ts'
import { createUpstream } from './requests/deleted-branches.ts'
import { createDeploys } from './requests/deploys.ts'
import { createEvacuation } from './requests/evacuate.ts'
import { createProjectEnd } from './requests/project-end.ts'
import { createQueue } from './requests/queue.ts'
import { createActivity } from './run/activity.ts'
import { createAdmission } from './run/admission.ts'
import { createDestruction } from './run/destroy.ts'
import { createFolders } from './run/folders.ts'
import { createLastAccesses } from './run/last-accesses.ts'
import { createLauncher } from './run/launcher.ts'
import { createPausing } from './run/pause.ts'
import { createRetirement } from './run/retire.ts'
import { createRouting } from './run/routing.ts'
import { createSupervisor } from './run/supervisor.ts'
import { createWaking } from './run/wake.ts'
import { createHousekeeping } from './upkeep/housekeeping.ts'
import { createReconciler } from './upkeep/reconciler.ts'
import { createSweep } from './upkeep/sweep.ts'

export interface Core {
  readonly useCases: Omit<UseCases, 'secrets' | 'tokens' | 'keys' | 'backups'>
  /** Takes over what an earlier daemon left, then begins to work. Resolves when requests may come. */
  start(): Promise<void>
  /** Lets go of the work within 8 s; apps and gateway go on. What was not finished is taken up by the next start. */
  stop(): Promise<void>
}

/** Deploys, sleep and wake, and what keeps them true: the daemon's use-cases over its ports. */
export function createCore(deps: CoreDeps): Core {
  const { store, git, builder, runtime, logs, gateway, vault, clock, config, logger } = deps
  const { baseDomain, gatewayPort, reservedMemoryMb } = config
  const reached = createReached(deps.reached)
  const locks = createLocks()
  const folders = createFolders({ dataDir: config.dataDir, ids: deps.ids })
  const sources = createGitSources({ vault })
  const routing = createRouting({ gateway })
  const accesses = createLastAccesses({ store, clock, logger })
  const retirement = createRetirement({ runtime, gateway, logs })
  const fenced = createFenced({ store, clock })
  const waiters = createWaiters()
  // The worker comes last and is told of memory by what comes before it.
  const late: { worker?: Worker } = {}
  const onRoom = () => late.worker?.roomChanged()
  const base = { store, git, builder, runtime, logs, gateway, vault, clock, config, logger }
  const shared = { ...base, reached, locks, folders, sources, routing, accesses, retirement }

  const admission = createAdmission({ store, runtime, reservedMemoryMb, onRoom })
  const launcher = createLauncher({ ...shared, gatewayPort })
  const supervisor = createSupervisor({ ...shared, launcher })
  const waking = createWaking({ ...shared, admission, launcher, supervisor })
  const life = { ...shared, fenced, baseDomain, admission, launcher, supervisor, waking, onRoom }
  const pausing = createPausing(life)
  const destruction = createDestruction(life)

  const preparation = createPreparation(life)
  const execute = createExecutor({
    ...shared,
    plan: preparation.plan,
    steps: { ...preparation.steps, ...createSwitch(life) },
    prune: createPrune(shared),
    fail: createFailure(life),
  })
  const worker = createWorker({
    ...shared,
    execute,
    waiters,
    admission,
    concurrency: config.deployConcurrency ?? availableParallelism(),
    owner: `stratad-${deps.ids()}`,
  })
  late.worker = worker

  const branchEnd = createBranchEnd({ destruction, worker, waiters, logger })
  const deploys = createDeploys({ ...shared, worker, waiters, branchEnd })
  const nodes = createNodes({
    ...shared,
    onRoom,
    evacuation: createEvacuation({ store, deploys, waiters }),
  })
  const activity = createActivity({ ...shared, waking })
  const reconciler = createReconciler({ ...shared, supervisor, destruction, worker })
  const housekeeping = createHousekeeping({
    ...shared,
    nodes,
    worker,
    reconciler,
    sweep: createSweep({ ...shared, pausing, destruction }),
    upstream: createUpstream({ ...shared, branchEnd }),
    everyMs: config.gcIntervalMs,
  })
  const replaceRoutes = async () => routing.replace(await store.environments.listLive())

  return {
    useCases: {
      projects: createProjects({
        ...shared,
        projectEnd: createProjectEnd({ ...shared, branchEnd }),
      }),
      deploys,
      environments: createEnvironments({ ...shared, pausing, waking, destruction, worker }),
      activity,
      nodes,
      audit: { list: (filter) => store.audit.list(filter) },
      queue: createQueue({ store, waiters, worker }),
      stats: createStats({ store, runtime, admission }),
      infra: createInfra({ config, ensureLocal: nodes.ensureLocal, replaceRoutes }),
    },

    async start() {
      await nodes.ensureLocal()
      runtime.onExit(supervisor.exited)
      await reconciler.begin()
      gateway.onAccess((seen) => {
        for (const [id, at] of seen) accesses.note(id, at)
      })
      gateway.onWake(activity.wakeForGateway)
      worker.signal()
      housekeeping.start()
    },

    async stop() {
      housekeeping.stop()
      supervisor.stop()
      await Promise.all([waking.stop(), worker.stop(3_000)])
      await accesses.stop()
    },
  }
}
