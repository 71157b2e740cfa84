import { availableParallelism } from 'node:os'
import { createActivity } from './activity.ts'
import { createAdmission } from './admission.ts'
import { createBranchEnd } from './branch-end.ts'
import type { CoreDeps } from './core-deps.ts'
import { createFailure } from './deploy-failure.ts'
import { createPreparation } from './deploy-prepare.ts'
import { createSwitch } from './deploy-switch.ts'
import { createDeploys } from './deploys.ts'
import { createDestruction } from './destroy.ts'
import { createEnvironments } from './environments.ts'
import { createEvacuation } from './evacuate.ts'
import { createExecutor } from './executor.ts'
import { createFenced } from './fenced.ts'
import { createFolders } from './folders.ts'
import { createGitSources } from './git-sources.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createInfra } from './infra.ts'
import { createLastAccesses } from './last-accesses.ts'
import { createLauncher } from './launcher.ts'
import { createLocks } from './locks.ts'
import { createNodes } from './nodes.ts'
import { createPausing } from './pause.ts'
import { createProjectEnd } from './project-end.ts'
import { createProjects } from './projects.ts'
import { createPrune } from './prune.ts'
import { createQueue } from './queue.ts'
import { createReconciler } from './reconciler.ts'
import { createRetirement } from './retire.ts'
import { createRouting } from './routing.ts'
import { createStats } from './stats.ts'
import { createReached } from './steps.ts'
import { createSupervisor } from './supervisor.ts'
import { createSweep } from './sweep.ts'
import { createUpstream } from './upstream.ts'
import type { UseCases } from './use-cases.ts'
import { createWaiters } from './waiters.ts'
import { createWaking } from './wake.ts'
import { createWorker, type Worker } from './worker.ts'

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
