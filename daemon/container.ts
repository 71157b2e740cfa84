import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type App, createApp } from './app/app.ts'
import { createFailpoints, type FailpointHook, type Failpoints } from './app/ground/failpoints.ts'
import type { UseCases } from './app/ground/use-cases.ts'
import { createBackupUseCases } from './app/manage/backups.ts'
import { createEventUseCases } from './app/manage/events.ts'
import { replaceProxyToken } from './app/manage/proxy-token.ts'
import { createKeyUseCases } from './app/manage/rotate-key.ts'
import { createSecretUseCases } from './app/manage/secrets.ts'
import { createTokenUseCases } from './app/manage/tokens.ts'
import { appTrees } from './app-trees.ts'
import { createBackupTrouble } from './backup-trouble.ts'
import { systemClock as clock } from './clock.ts'
import type { Config } from './config.ts'
import { createPages } from './dashboard/serve.ts'
import { createDatabaseServers } from './databases/database-servers.ts'
import { createDockerHosting, stopAllContainers } from './docker-hosting.ts'
import { createPublicPort } from './domain/public-port.ts'
import { createDomainPorts } from './domains/domain-ports.ts'
import { createGateway } from './gateway/gateway.ts'
import { createGit } from './git/git.ts'
import { createGitProgram } from './git/git-program.ts'
import { hostProbe } from './host-probe.ts'
import { createGitService } from './hosted/git-service.ts'
import { createRepositories } from './hosted/repositories.ts'
import type { MasterToken } from './http/auth.ts'
import { createHttp, type Http } from './http/http.ts'
import { createLogs, type ProcessLogs } from './logs/logs.ts'
import { createSender } from './outgoing/sender.ts'
import type { Logger, Redacted, Repositories, Store, Vault, Walls } from './ports.ts'
import { createProcessHosting, stopProcesses } from './process-hosting.ts'
import { applyStagedRestore } from './store/backup/apply.ts'
import { createArchives } from './store/backup/archives.ts'
import { copyDatabases } from './store/backup/copy-databases.ts'
import { recordRestores } from './store/backup/record-restore.ts'
import { type ScheduledBackups, startScheduledBackups } from './store/backup/scheduled-backups.ts'
import { createStore } from './store/store.ts'
import { createProxyConfig } from './traefik/config-response.ts'
import { createProxyPolls } from './traefik/proxy-polls.ts'
import { routeSourceOf } from './traefik/route-source.ts'
import { createVault } from './vault/vault.ts'
import { logWalls } from './walls/log-walls.ts'
import { createWalls } from './walls/walls.ts'

export interface Container {
  readonly http: Http
  /** Adopts apps of the previous daemon, then starts deploys and housekeeping. */
  start(): Promise<void>
  /** Stops deploys and housekeeping within seconds. Apps and the gateway keep running. */
  stop(): Promise<void>
  /** Closes the database. Call it after `stop`, once no request is open. */
  close(): Promise<void>
}

/** Inputs from the process, in addition to the settings. */
export interface ProcessContext {
  readonly logger: Logger
  readonly version: string
  /** The daemon's own environment. Child programs inherit PATH, proxy and npm settings from it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called at each named failpoint; only for tests. */
  readonly failpoint?: FailpointHook
}

export interface Secrets {
  readonly token: MasterToken
  readonly webhookSecret: Redacted | null
}

/** Time limit of one git command: the first fetch of a large repository takes minutes. */
const gitTimeoutMs = 15 * 60_000

/**
 * Connects all parts of the daemon; no other file imports adapters. The caller must hold the lock of `config.dataDir`.
 */
export async function createContainer(
  config: Config,
  secrets: Secrets,
  { logger, version, env, failpoint }: ProcessContext,
): Promise<Container> {
  const failpoints = createFailpoints(failpoint)
  const { dataDir } = config
  const reader = [process.execPath, join(import.meta.dirname, 'strata-volume-reader.cjs')]
  const late: { repositories?: Repositories; app?: App } = {}
  const { store, vault, archives } = await openStorage(config, {
    ...{ logger, failpoints, reader },
    copyRepositories: async (folder) => [
      ...((await late.repositories?.snapshot(folder)) ?? []),
      ...((await late.app?.dumpDatabases(folder)) ?? []),
      ...((await late.app?.copyNodeData(folder)) ?? []),
    ],
  })
  const walls = await createWalls({ dataDir, store, uidRange: config.uidRange })
  const { git, logs, gateway, ...hosted } = createPorts(config, { logger, version, env, walls })
  const hosting = await createHostingOf(config, {
    ...{ logs, logger, env, walls, store, vault },
  })
  const { builder, runtime } = hosting
  late.repositories = hosted.repositories
  let scheduled: ScheduledBackups | undefined
  const hasUsers = hosting.status().some(({ name, stands }) => name === 'users' && stands)
  const domains = createDomainPorts(config.domains, { gateway, store, vault, logger })
  const publicPort = createPublicPort({
    port: config.gatewayAddress.port,
    tlsPort: config.domains.gatewayTls?.address.port ?? null,
    certificates: () => domains.files?.list() ?? [],
  })
  const routes = routeSourceOf(store)
  const proxyPolls = createProxyPolls({
    ...{ version: routes.version, clock },
    waitMs: config.proxy.waitMs,
  })
  const tokens = createTokenUseCases({ store, clock })
  const program = hosting.proxyProgram?.(proxyPolls)
  const app = createApp({
    proxy: {
      polls: proxyPolls,
      ...(program && { program }),
      issueToken: async (actor) =>
        secrets.token.kind === 'none' ? null : replaceProxyToken(tokens, actor),
    },
    backupHealth: () => scheduled?.health(),
    store,
    git,
    repositories: hosted.repositories,
    builder,
    runtime,
    oneOffs: hosting.oneOffs,
    usageProbe: hosting.usageProbe,
    ...(hosting.check && { engineCheck: hosting.check }),
    ...(hosting.fleet && { fleet: hosting.fleet }),
    logs,
    gateway,
    domains,
    publicPort,
    sender: createSender({ privateHosts: config.privateHosts, version }),
    vault,
    clock,
    ids: randomUUID,
    logger,
    ...(failpoint && { failpoint }),
    hostProbe,
    walls: hosting.status,
    cells: hosting.cells,
    trees: appTrees,
    // The daemon watches the reserve of the disk during the copy.
    copyDatabases: (copy) => copyDatabases([...reader, '0'], copy),
    databaseServers: createDatabaseServers(config.databaseServers, {
      cells: walls,
      path: env.PATH ?? '',
    }),
    config: {
      ...{ version, dataDir },
      baseDomain: config.baseDomain,
      gatewayPort: config.gatewayAddress.port,
      deployConcurrency: config.deployConcurrency,
      reservedMemoryMb: config.reservedMemoryMb,
      diskReserveMb: config.diskReserveMb,
      dataQuotaMb: config.dataQuotaMb,
      gcIntervalMs: config.gcIntervalMs,
      sweepGraceMs: config.sweepGraceMs,
      pollIntervalMs: config.pollIntervalMs,
      allowsManyProjects: config.trustApps || hasUsers,
      trashKeepMs: config.trashKeepMs,
      hasWebhookSecret: secrets.webhookSecret !== null,
      hasTls: config.tls !== null,
    },
  })
  late.app = app
  const useCases: UseCases = {
    ...app.useCases,
    secrets: createSecretUseCases({ store, vault, clock }),
    tokens,
    events: createEventUseCases({ store, ids: randomUUID }),
    keys: createKeyUseCases({ database: store, vault, clock, failpoints }),
    backups: createBackupUseCases({ archives, store, clock }),
  }
  const { host, port } = config.gatewayAddress
  const proxyConfig = createProxyConfig({
    source: routes,
    config: {
      gatewayUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      entryPoints: [config.tls ? 'websecure' : 'web'],
      tls: null,
    },
  })
  const http = createHttp({
    useCases,
    gitService: hosted.gitService,
    proxyConfig,
    proxyPolls,
    logger,
    clock,
    pages: createPages(join(import.meta.dirname, 'dashboard')),
    config: {
      version,
      token: secrets.token,
      bootstrapAccess: config.bootstrapAccess,
      allowOpenApi: config.allowOpenApi,
      allowRestore: config.allowRestore,
      restoreMaxBytes: config.restoreMaxBytes,
      webhookSecret: secrets.webhookSecret,
      publicPort,
      trashKeepMs: config.trashKeepMs,
      rateLimit: config.rateLimit,
      tls: config.tls,
    },
  })
  return {
    http,
    async start() {
      await hosting.start()
      await gateway.start()
      logWalls(hosting.status(), { hasUsers, trustsApps: config.trustApps, logger })
      await app.start()
      if (config.scheduledBackups) {
        scheduled = startScheduledBackups({
          ...config.scheduledBackups,
          diskReserveMb: config.diskReserveMb,
          create: () => archives.create({ withData: true }),
          ...createBackupTrouble({ announce: app.announceBackupFault, logger }),
          dataDir,
          clock,
        })
      }
    },
    async stop() {
      await Promise.all([app.stop(), scheduled?.stop()])
      gateway.close()
      await hosting.close()
      walls.close()
      await logs.close()
    },
    close: () => store.close(),
  }
}

/** Applies a staged restore, then opens the database, the vault and the backups. */
async function openStorage(
  config: Config,
  {
    logger,
    failpoints,
    reader,
    copyRepositories,
  }: {
    logger: Logger
    failpoints: Failpoints
    reader: readonly string[]
    copyRepositories: Repositories['snapshot']
  },
) {
  const { dataDir, masterKey, restoreMaxBytes } = config
  const { now } = clock
  const failpoint = failpoints.hit
  const databaseFile = config.databaseFile ?? join(dataDir, 'strata.db')
  const keyFile = join(dataDir, 'master.key')
  await applyStagedRestore({
    ...{ dataDir, databaseFile, keyFile, masterKey, now, failpoint },
    stopApps: () =>
      config.docker ? stopAllContainers(config, config.docker) : stopProcesses(dataDir, clock),
  })
  const store = await createStore({ file: databaseFile, now })
  await recordRestores({ dataDir, store })
  const warn = (message: string) => logger.warn({}, message)
  const keySource = masterKey ? { key: masterKey } : { keyFile }
  const vault = await createVault(keySource, { sealed: store.sealed, warn })
  const archives = createArchives({
    database: store,
    databaseFile,
    vault,
    ...{ reader, copyRepositories },
    dataDir,
    restoreMaxBytes,
    diskReserveMb: config.diskReserveMb,
    now,
    failpoint,
  })
  return { store, vault, archives }
}

/** Creates the adapters that build and run apps: as processes of this host, or as containers of an engine. */
async function createHostingOf(
  config: Config,
  deps: Pick<ProcessContext, 'logger' | 'env'> & {
    logs: ProcessLogs
    walls: Walls
    store: Store
    vault: Vault
  },
) {
  const { walls } = deps
  if (!config.docker) {
    const hosting = createProcessHosting(config, { ...deps, clock })
    return { ...hosting, cells: walls, check: undefined, fleet: undefined, proxyProgram: undefined }
  }
  const { walls: cells, ...hosting } = await createDockerHosting(config, config.docker, {
    ...deps,
    clock,
  })
  return { ...hosting, cells, status: cells.status, start: hosting.fleet.refresh }
}

/** Creates the adapters of git, logs and the gateway, each in its own folder. */
function createPorts(
  config: Config,
  { logger, version, env, walls }: Omit<ProcessContext, 'failpoint'> & { walls: Walls },
) {
  const place = (name: string) => join(config.dataDir, name)
  const { gatewayTls } = config.domains
  const report = (err: unknown) => logger.error({ err }, 'could not read or write logs')
  const logs = createLogs({ folder: place('logs'), clock, report })
  return {
    logs,
    ...createHosting(config, { logger, env, walls }),
    git: createGit({ folder: place('git'), timeoutMs: gitTimeoutMs, env }),
    gateway: createGateway({
      argv: [process.execPath, join(import.meta.dirname, 'strata-gateway.cjs')],
      address: config.gatewayAddress,
      trustedProxies: config.trustedProxies,
      hasAccessLog: config.accessLog,
      folder: place('gateway'),
      version,
      clock,
      log: logger,
      ...(gatewayTls && {
        // An operator who keeps the master key elsewhere wants no plain keys on this disk.
        tls: { ...gatewayTls, keepsKeys: config.masterKey === null },
      }),
    }),
  }
}

/** Users of projects start with project 1: this cell belongs to git, which reads pushes in it. */
const gitCellId = 0

/** Creates the adapters of hosted repositories. */
function createHosting(
  { dataDir, maxPushMb }: Config,
  { logger, env, walls }: Pick<ProcessContext, 'logger' | 'env'> & { walls: Walls },
) {
  const volumes = join(dataDir, 'volumes')
  const cell = () => walls.cell(gitCellId)
  const folder = join(dataDir, 'git', 'hosted')
  return {
    repositories: createRepositories({
      ...{ volumes, cell },
      git: createGitProgram({ folder, env, timeoutMs: gitTimeoutMs }),
    }),
    gitService: createGitService({
      ...{ volumes, cell, logger, env },
      filesFolder: join(dataDir, 'cache', 'git'),
      maxInputBytes: maxPushMb * 2 ** 20,
      endGroup: walls.end,
      groups: walls.groups,
    }),
  }
}
