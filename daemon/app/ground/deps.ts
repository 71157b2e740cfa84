import type { Builder, Clock, Gateway, Git, Logs, Runtime, Store, Vault } from '../../ports.ts'

/** What the use-cases are given: ports, settings, and the two things that tests hold in their hands. */
export interface CoreDeps {
  readonly store: Store
  readonly git: CoreGit
  readonly builder: Builder
  readonly runtime: Runtime
  readonly logs: Logs
  readonly gateway: Gateway
  readonly vault: Vault
  readonly clock: Clock
  readonly config: CoreConfig
  /** A new unique text of letters and digits: names of leases and folders. */
  readonly ids: () => string
  readonly logger: Logger
  /** Called at each named step, as `deploy:start`; what it throws, or never comes back from, is a fault under test. */
  readonly reached?: (step: string) => void | Promise<void>
}

export interface CoreGit extends Git {
  /** `host/path` of the `origin` remote of a repository on this machine, null when it has none. */
  originOf(repoDir: string): Promise<string | null>
}

export interface CoreConfig {
  readonly version: string
  readonly baseDomain: string
  readonly gatewayPort: number
  /** Absolute. Releases are kept in `releases/`, what apps keep in `volumes/`. */
  readonly dataDir: string
  /** `null`: as many as there are cores. */
  readonly deployConcurrency: number | null
  /** Kept free of apps on this host. */
  readonly reservedMemoryMb: number
  readonly gcIntervalMs: number
  readonly hasWebhookSecret: boolean
  readonly hasTls: boolean
}

/** What is used of a pino logger. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
