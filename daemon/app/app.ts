import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createLocks } from '../async/locks.ts'
import { createAdmit } from './deploy/admit.ts'
import { createAwaitProxy } from './deploy/await-proxy.ts'
import { createBuild } from './deploy/build.ts'
import { createExecutor } from './deploy/executor.ts'
import { createFailure } from './deploy/failure.ts'
import { createLeaseTransaction } from './deploy/lease.ts'
import { createProvideDatabase } from './deploy/provide-database.ts'
import { createProvideSecrets } from './deploy/provide-secrets.ts'
import { createPrune } from './deploy/prune.ts'
import { createReleaseSteps } from './deploy/release.ts'
import { createStart } from './deploy/start.ts'
import { createSwitchRoute } from './deploy/switch-route.ts'
import { createWaiters } from './deploy/waiters.ts'
import { createWorker, type Worker } from './deploy/worker.ts'
import { createAnnounce } from './ground/announce.ts'
import { createDefaultBranches } from './ground/default-branches.ts'
import type { AppDeps } from './ground/deps.ts'
import { createDiskReserve } from './ground/disk-reserve.ts'
import { createFailpoints } from './ground/failpoints.ts'
import { createGitSources } from './ground/git-sources.ts'
import type { UseCases } from './ground/use-cases.ts'
import { createDatabaseUseCases } from './manage/databases.ts'
import { createDomains } from './manage/domains.ts'
import { warnOfDuplicateRemotes } from './manage/duplicate-remotes.ts'
import { createEnvironments } from './manage/environments.ts'
import { createInfra } from './manage/infra.ts'
import { createNodeHealth } from './manage/node-health.ts'
import { createNodes } from './manage/nodes.ts'
import { createProjects } from './manage/projects.ts'
import { createReceivers } from './manage/receivers.ts'
import { createScheduleUseCases } from './manage/schedules.ts'
import { createStats } from './manage/stats.ts'
import { createTrashUseCases } from './manage/trash.ts'
import { createUsageSampling } from './manage/usage.ts'
import { createUsageArchive } from './manage/usage-archive.ts'
import { createWebhookSecrets } from './manage/webhook-secrets.ts'
import { createDeletedBranches } from './requests/deleted-branches.ts'
import { createDeploys } from './requests/deploys.ts'
import { createBranchRemoval } from './requests/destroy-branch.ts'
import { createEvacuation } from './requests/evacuate.ts'
import { createGitPushes, type GitPushes } from './requests/git-pushes.ts'
import { createPollHeads } from './requests/poll-heads.ts'
import { createProjectData } from './requests/project-data.ts'
import { createPushProgress } from './requests/push-progress.ts'
import { createPush } from './requests/pushes.ts'
import { createQueue } from './requests/queue.ts'
import { createProjectRemoval } from './requests/remove-project.ts'
import { createUpstreamBranches } from './requests/upstream-branches.ts'
import { createActiveRuns } from './run/active-runs.ts'
import { createAdmission } from './run/admission.ts'
import { createAppSupervisor } from './run/app-supervisor.ts'
import { createBranchDatabases } from './run/branch-databases.ts'
import { createCertificates } from './run/certificates.ts'
import { createDataMoves } from './run/data-moves.ts'
import { createDataUsage } from './run/data-usage.ts'
import { createDatabaseBackups } from './run/database-backups.ts'
import { createDeliveries } from './run/deliveries.ts'
import { createDestruction } from './run/destroy.ts'
import { createLastAccesses } from './run/last-accesses.ts'
import { createLauncher } from './run/launcher.ts'
import { createLocalFleet } from './run/local-fleet.ts'
import { createMovingApps } from './run/moving-apps.ts'
import { createNodeData } from './run/node-data.ts'
import { createOneOffRuns } from './run/one-offs.ts'
import { createPausing } from './run/pause.ts'
import { createProcesses } from './run/processes.ts'
import { createReleaseFolders } from './run/release-folders.ts'
import { createRetirement } from './run/retire.ts'
import { createRouting } from './run/routing.ts'
import { createSchedules } from './run/schedules.ts'
import { createSqliteCopies } from './run/sqlite-copies.ts'
import { createTrash } from './run/trash.ts'
import { createTrashFolders } from './run/trash-folders.ts'
import { createTrashedDatabases } from './run/trashed-databases.ts'
import { createVisitorActivity } from './run/visitor-activity.ts'
import { createWaking } from './run/wake.ts'
import { webRuntime } from './run/web-runtime.ts'
import { applyBaseDomain } from './upkeep/base-domain.ts'
import { createDataQuota } from './upkeep/data-quota.ts'
import { createDestructionGuard } from './upkeep/destruction-guard.ts'
import { createHousekeeping } from './upkeep/housekeeping.ts'
import { createPolling } from './upkeep/polling.ts'
import { createReconciler } from './upkeep/reconciler.ts'
import { createScheduleLoop } from './upkeep/schedule-loop.ts'
import { createSweep } from './upkeep/sweep.ts'
import { createTrashUpkeep } from './upkeep/trash-upkeep.ts'

export interface App {
  /** Tells the receivers of the server of a failed backup. */
  announceBackupFault(message: string): Promise<void>
  readonly useCases: Omit<UseCases, 'secrets' | 'tokens' | 'keys' | 'backups' | 'events'>
  /** Writes dumps of the branches' databases into a folder. Returns the databases without a dump, with the reasons. */
  dumpDatabases(folder: string): Promise<readonly { path: string; reason: string }[]>
  /** Copies the data of nodes into a folder. Returns the volumes without a copy, with the reasons. */
  copyNodeData(folder: string): Promise<readonly { path: string; reason: string }[]>
  /** Adopts the previous daemon's state and starts the workers. Resolves when requests may be served. */
  start(): Promise<void>
  /** Stops the workers within 8 s. Apps and the gateway keep running; the next start resumes unfinished deploys. */
  stop(): Promise<void>
}

/** Connects the use cases, the deploy worker and housekeeping to the daemon's ports. */
export function createApp(deps: AppDeps): App {
  const { store, git, builder, logs, gateway, vault, clock, config, logger, cells } = deps
  // Only `processes` and the data of destroyed branches concern other processes than the web process.
  const runtime = webRuntime(deps.runtime)
  const { repositories } = deps
  const { baseDomain, reservedMemoryMb } = config
  const { publicPort } = deps
  const fleet = deps.fleet ?? createLocalFleet(runtime)
  const failpoints = createFailpoints(deps.failpoint)
  const diskReserve = createDiskReserve(deps)
  const dataUsage = createDataUsage({
    dataDir: config.dataDir,
    quotaMb: config.dataQuotaMb,
    trash: store.trash,
    fleet,
  })
  const locks = createLocks()
  const folders = createReleaseFolders({
    dataDir: config.dataDir,
    ids: deps.ids,
    trees: deps.trees,
    discard: builder.discard,
  })
  const trashFolders = createTrashFolders({ dataDir: config.dataDir, trees: deps.trees })
  const sources = createGitSources({ vault, repositories })
  const routing = createRouting({ gateway, store })
  const accesses = createLastAccesses({ store, clock, logger })
  const retirement = createRetirement({ runtime, gateway, logs })
  const leaseTransaction = createLeaseTransaction({ store, clock })
  const waiters = createWaiters()
  // The dependency is circular: the worker uses admission and pausing, and both notify the worker of freed memory.
  const late: { worker?: Worker; gitPushes?: GitPushes } = {}
  const onMemoryFreed = () => late.worker?.memoryFreed()
  const databases = createBranchDatabases({
    ...{ store, vault, clock, failpoints, diskReserve },
    servers: deps.databaseServers ?? {},
  })
  const trashedDatabases = createTrashedDatabases({ store, databases, logger })
  const databaseBackups = createDatabaseBackups({
    ...{ store, databases, logger },
    dataDir: config.dataDir,
  })
  const { proof, authority, files, publicAddresses } = deps.domains
  const announce = createAnnounce({ clock, ids: deps.ids, publicPort })
  const deliveries = createDeliveries({ store, vault, clock, logger, sender: deps.sender })
  const certificates = createCertificates({
    ...{ store, vault, gateway, clock, logger, failpoints, announce },
    ...(proof && { proof }),
    ...(authority && { authority }),
    ...(files && { files }),
  })
  const shared = {
    certificates,
    announce,
    ...{ store, git, builder, runtime, logs, gateway, vault, clock, config, logger, failpoints },
    ...{ cells, repositories, fleet },
    ...{ locks, folders, sources, routing, accesses, retirement, diskReserve, dataUsage },
    defaultBranches: createDefaultBranches({ store, git }),
    ...{ trashFolders, databases, trashedDatabases },
    sqliteCopies: createSqliteCopies({
      ...{ folders, trashFolders, diskReserve, store, fleet, cells },
      dataDir: config.dataDir,
      ids: deps.ids,
      copyDatabases: deps.copyDatabases,
    }),
    movingApps: createMovingApps(),
    trash: createTrash({
      ...{ store, clock, logger, folders, trashFolders, failpoints },
      databases: trashedDatabases,
      keepMs: config.trashKeepMs,
    }),
  }

  const admission = createAdmission({ store, fleet, reservedMemoryMb, onMemoryFreed })
  const launcher = createLauncher({ ...shared, publicPort })
  const supervisor = createAppSupervisor({ ...shared, launcher })
  const processes = createProcesses({ ...shared, launcher, runtime: deps.runtime })
  const waking = createWaking({ ...shared, admission, launcher, supervisor, processes })
  const oneOffRuns = createOneOffRuns({
    ...{ ...shared, launcher, admission },
    ...{ oneOffs: deps.oneOffs, ids: deps.ids },
  })
  const schedules = createSchedules({
    ...{ ...shared, launcher, admission },
    runtime: deps.runtime,
    activeRuns: createActiveRuns({ ...shared, runtime: deps.runtime }),
  })
  const dataMoves = createDataMoves({ ...shared, supervisor, processes, oneOffRuns, schedules })
  const nodeData = createNodeData({ ...shared, dataMoves, dataDir: config.dataDir })
  const running = {
    schedules,
    oneOffRuns,
    ...{ ...shared, leaseTransaction, baseDomain, admission, launcher },
    ...{ supervisor, processes, waking, dataMoves, onMemoryFreed },
  }
  const pausing = createPausing(running)
  const destruction = createDestruction(running)

  const { planRelease, fetch, checkout } = createReleaseSteps(running)
  const execute = createExecutor({
    ...shared,
    planRelease,
    prepare: launcher.prepare,
    steps: {
      fetch,
      checkout,
      admit: createAdmit(running),
      provideSecrets: createProvideSecrets(running),
      provideDatabase: createProvideDatabase(running),
      build: createBuild(running),
      start: createStart(running),
      awaitHealthy: ({ signal }, app) =>
        launcher.awaitHealthy(app.environment, app.instance, signal),
      switchRoute: createSwitchRoute(running),
      awaitProxy: createAwaitProxy({ ...shared, proxies: deps.proxy?.polls }),
      prune: createPrune(shared),
    },
    fail: createFailure(running),
  })
  const worker = createWorker({
    ...shared,
    execute,
    waiters,
    admission,
    settle: async (entry, isOk) => late.gitPushes?.conclude(entry, isOk),
    concurrency: config.deployConcurrency ?? Math.max(2, availableParallelism()),
    owner: `stratad-${deps.ids()}`,
  })
  late.worker = worker

  const branchRemoval = createBranchRemoval({ destruction, worker, waiters, logger })
  const upstreamBranches = createUpstreamBranches(shared)
  const push = createPush({ ...shared, worker, branchRemoval, upstreamBranches })
  const deploys = createDeploys({ ...shared, worker, waiters, push })
  const progress = createPushProgress({ ...shared, publicPort })
  const gitPushes = createGitPushes({ ...shared, worker, waiters, branchRemoval, progress })
  late.gitPushes = gitPushes
  const projectRemoval = createProjectRemoval({
    ...shared,
    branchRemoval,
    projectData: createProjectData(shared),
  })
  const nodeHealth = createNodeHealth({ ...shared, onMemoryFreed })
  const evacuation = createEvacuation({ store, deploys, waiters })
  const activity = createVisitorActivity({ ...shared, waking })
  const reconciler = createReconciler({ ...shared, supervisor, destruction, worker })
  const trashUpkeep = createTrashUpkeep({ ...shared, destruction, runtime: deps.runtime })
  const guard = createDestructionGuard({ clock, logger, graceMs: config.sweepGraceMs })
  const housekeeping = createHousekeeping({
    ...shared,
    nodeHealth,
    worker,
    reconciler,
    processes,
    dataQuota: createDataQuota({ ...shared, pausing }),
    sweep: createSweep({ ...shared, pausing, destruction, guard }),
    deletedBranches: createDeletedBranches({ ...shared, branchRemoval }),
    trashUpkeep,
    nodeData,
    guard,
    intervalMs: config.gcIntervalMs,
  })

  const polling = createPolling({
    ...{ clock, logger, intervalMs: config.pollIntervalMs, seed: deps.ids() },
    pollHeads: createPollHeads({ ...shared, worker }),
  })

  const scheduleLoop = createScheduleLoop({ schedules, clock, logger })
  const usage = createUsageSampling({
    ...{ store, clock, logger, probe: deps.usageProbe },
    archive: createUsageArchive(join(config.dataDir, 'usage')),
  })

  return {
    dumpDatabases: databaseBackups.dump,
    copyNodeData: nodeData.copyAll,
    announceBackupFault: (message) =>
      store.transaction((tx) => announce(tx, { kind: 'backup.failed', message })),
    useCases: {
      usage: usage.useCases,
      projects: createProjects({
        ...{ ...shared, projectRemoval },
        allowsManyProjects: config.allowsManyProjects,
      }),
      repositories: gitPushes,
      deploys,
      webhookSecrets: createWebhookSecrets({ store, vault, clock }),
      domains: createDomains({ ...shared, ...(proof && { proof }), baseDomain, publicAddresses }),
      receivers: createReceivers({
        ...{ store, vault, clock, deliveries },
        ...{ ids: deps.ids, sender: deps.sender },
      }),
      environments: createEnvironments({ ...shared, pausing, waking, destruction, worker }),
      commands: { run: oneOffRuns.run },
      schedules: createScheduleUseCases({ store, clock }),
      activity,
      nodes: createNodes({ ...shared, evacuation, onMemoryFreed }),
      audit: { list: (filter) => store.audit.list(filter) },
      queue: createQueue({ store, waiters, worker }),
      trash: createTrashUseCases(shared),
      databases: createDatabaseUseCases({ ...shared, pausing, waking, worker }),
      stats: createStats({ store, runtime, fleet, admission, dataUsage }),
      infra: createInfra({
        config,
        diskReserve,
        store,
        backupHealth: deps.backupHealth ?? (() => undefined),
        hostProbe: deps.hostProbe,
        ...(deps.engineCheck && { engineCheck: deps.engineCheck }),
        ...(deps.proxy && { proxy: deps.proxy }),
        walls: deps.walls,
        ensureLocal: nodeHealth.ensureLocal,
        replaceRoutes: async () => routing.replace(await store.environments.listLive()),
      }),
    },

    async start() {
      await diskReserve
        .require()
        .catch((error) => logger.warn({}, `deploys wait: ${error.message}`))
      await warnOfDuplicateRemotes({ store, logger })
      await nodeHealth.ensureLocal()
      runtime.onExit(supervisor.handleExit)
      deps.runtime.onExit(processes.handleExit)
      await certificates.begin()
      deps.runtime.onExit(schedules.handleExit)
      await applyBaseDomain(running)
      await databaseBackups.loadRestored()
      databases
        .removeLeftovers()
        .catch((err) => logger.warn({ err }, 'could not drop the rest of an interrupted restore'))
      await trashUpkeep.begin()
      await nodeData.begin()
      await reconciler.begin()
      await processes.reconcile()
      await schedules.begin()
      await gitPushes.recover()
      gateway.onAccess((accessTimes) => {
        for (const [id, at] of accessTimes) accesses.note(id, at)
      })
      gateway.onTraffic(usage.addTraffic)
      gateway.onWake(activity.wakeForGateway)
      worker.signal()
      fleet.onChange(housekeeping.repairSoon)
      housekeeping.start()
      usage.start()
      polling.start()
      certificates.start()
      deliveries.start()
      scheduleLoop.start()
    },

    async stop() {
      housekeeping.stop()
      polling.stop()
      scheduleLoop.stop()
      supervisor.stop()
      processes.close()
      await Promise.all([waking.stop(), worker.stop(3_000), oneOffRuns.stop(), certificates.stop()])
      await Promise.all([accesses.stop(), usage.stop(), deliveries.stop()])
    },
  }
}
