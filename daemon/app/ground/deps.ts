import type { PublicPort } from '../../domain/public-port.ts'
import type {
  AppTrees,
  BackupHealth,
  Builder,
  CertificateAuthority,
  CertificateFiles,
  Clock,
  DatabaseServers,
  DomainProof,
  EngineCheck,
  Fleet,
  Gateway,
  Git,
  HostProbe,
  Logger,
  Logs,
  OneOffs,
  ProxyProgram,
  ProxyWatch,
  Redacted,
  Repositories,
  Runtime,
  Sender,
  Store,
  UsageProbe,
  Vault,
  Wall,
  Walls,
} from '../../ports.ts'
import type { FailpointHook } from './failpoints.ts'
import type { Actor } from './use-cases.ts'

/** Dependencies of `createApp`: adapters, settings, and test hooks. */
export interface AppDeps {
  readonly store: Store
  readonly git: AppGit
  readonly repositories: Repositories
  readonly builder: Builder
  readonly runtime: Runtime
  readonly oneOffs: OneOffs
  readonly usageProbe: UsageProbe
  /** The engines of nodes; absent: this host is the only place for apps. */
  readonly fleet?: Fleet
  readonly logs: Logs
  /** The proxies in front of the gateway; absent: none. */
  readonly proxy?: ProxyPorts
  readonly gateway: Gateway
  readonly vault: Vault
  readonly clock: Clock
  readonly hostProbe: HostProbe
  /** Returns the separations between projects, and whether they stand. */
  readonly walls: () => readonly Wall[]
  readonly trees: AppTrees
  /**
   * Copies the SQLite databases of a volume (`<project id>/<name>` in `volumes`) into the new folder `into`. Returns their
   * number. Default: previews begin empty.
   */
  readonly copyDatabases?: (copy: {
    readonly volumes: string
    readonly volume: string
    readonly into: string
    readonly signal: AbortSignal
  }) => Promise<number>
  /** The servers on which the daemon makes databases; default: none. */
  readonly databaseServers?: DatabaseServers
  /** Probes the engine of the docker runtime; absent for another runtime. */
  readonly engineCheck?: () => Promise<EngineCheck>
  /** Returns the state of the scheduled backups; undefined without scheduled backups. */
  readonly backupHealth?: () => BackupHealth | undefined
  /** The places where the programs of projects run. */
  readonly cells: Pick<Walls, 'cell' | 'remove'>
  readonly domains: DomainPorts
  readonly publicPort: PublicPort
  /** Sends statuses and notifications. */
  readonly sender: Sender
  readonly config: AppConfig
  /** Returns a new unique string of letters, digits and `-`, for lease owners and folders. */
  readonly ids: () => string
  readonly logger: Logger
  readonly failpoint?: FailpointHook
}

/** Adapters of the proxies in front of the gateway. */
export interface ProxyPorts {
  readonly polls: ProxyWatch
  /** Absent: the daemon can start no proxy. */
  readonly program?: ProxyProgram
  /** Replaces the token of the proxy that the daemon starts; null: the API is open. */
  readonly issueToken: (actor: Actor) => Promise<Redacted | null>
}

/** Adapters of own domains. */
export interface DomainPorts {
  /** Absent: domains are registered without a proof. */
  readonly proof?: DomainProof
  /** Absent: the daemon gets no certificates. */
  readonly authority?: CertificateAuthority
  readonly files?: CertificateFiles
  /** Public addresses of this server, for DNS records. */
  readonly publicAddresses: readonly string[]
}

export interface AppGit extends Git {
  /** Returns `host/path` of the `origin` remote of a repository on this machine, null if it has no `origin`. */
  originOf(repoDir: string): Promise<string | null>
  /** Throws `bad-request` if the host of a normalized URL resolves to a refused address. An unknown name passes. */
  checkHost(url: string): Promise<void>
}

export interface AppConfig {
  readonly version: string
  readonly baseDomain: string
  readonly gatewayPort: number
  /** Absolute path. Holds `releases/`, `volumes/` and `trash/`. */
  readonly dataDir: string
  /** Maximum number of parallel builds; `null`: one for each CPU core, at least two. */
  readonly deployConcurrency: number | null
  /** MiB of this host that apps must leave free. */
  readonly reservedMemoryMb: number
  /** MiB of the data folder's disk that builds leave free; `null`: a default for the size of the disk. */
  readonly diskReserveMb: number | null
  /** MiB of data of one project, from which its apps are paused; `null`: unlimited. */
  readonly dataQuotaMb: number | null
  readonly gcIntervalMs: number
  readonly sweepGraceMs: number
  /** `null`: no polling. */
  readonly pollIntervalMs: number | null
  /** False: the daemon hosts one project, because no walls would separate several. */
  readonly allowsManyProjects: boolean
  readonly trashKeepMs: number
  readonly hasWebhookSecret: boolean
  readonly hasTls: boolean
}
