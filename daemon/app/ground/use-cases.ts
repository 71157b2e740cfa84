/**
 * What the daemon can be asked to do: the surface that `daemon/http` calls, one method an endpoint of the contract.
 * Credentials and scopes were checked before (by the route table); input is parsed; every method throws DaemonError.
 */

import type {
  AuditEntry,
  Environment,
  EnvironmentState,
  Node,
  NodeState,
  Project,
  QueueEntry,
  Role,
  SecretScope,
  Token,
} from '../../domain/records.ts'
import type { AuditFilter, LogLine, Principal, Redacted } from '../../ports.ts'

/** Who asks, and under which request id; both go on audit rows. */
export interface Actor {
  readonly principal: Principal
  /** `open`, `master`, a token's name, `webhook:github`, `daemon`. */
  readonly operator: string
  readonly requestId: string
}

export interface UseCases {
  readonly projects: ProjectUseCases
  readonly deploys: DeployUseCases
  readonly environments: EnvironmentUseCases
  readonly activity: ActivityUseCases
  readonly secrets: SecretUseCases
  readonly tokens: TokenUseCases
  readonly nodes: NodeUseCases
  readonly audit: { list(filter: AuditFilter): Promise<AuditEntry[]> }
  readonly queue: {
    list(projectIds: readonly number[] | null): Promise<QueueEntry[]>
    /** Takes out an entry that waits; `conflict` when it runs. */
    remove(id: number, actor: Actor): Promise<void>
  }
  readonly stats: { read(): Promise<Stats> }
  readonly infra: {
    status(): Promise<InfraStatus>
    bootstrap(actor: Actor): Promise<InfraStatus>
  }
  readonly keys: { rotate(actor: Actor): Promise<{ values: number }> }
  readonly backups: {
    /** A tar as it is made: database snapshot, key, manifest. */
    create(actor: Actor): Promise<{ fileName: string; body: NodeJS.ReadableStream }>
    /** Validates the whole tar and stages it for the next start. */
    stageRestore(body: NodeJS.ReadableStream, actor: Actor): Promise<void>
  }
}

export interface ProjectUseCases {
  register(
    input: {
      repoDir?: string
      repoUrl?: string
      gitToken?: Redacted
      context?: string
    },
    actor: Actor,
  ): Promise<Project>
  find(id: number): Promise<Project>
  list(ids: readonly number[] | null): Promise<Project[]>
  update(
    id: number,
    changes: {
      pauseAfter?: string
      destroyAfter?: string
      /** `null` clears it. */
      gitToken?: Redacted | null
      branches?: readonly string[]
      ignore?: readonly string[]
      maxEnvironments?: number | null
    },
    actor: Actor,
  ): Promise<Project>
  remove(id: number, actor: Actor): Promise<void>
  /** A repository goes by another name at its host: `path` is the new one. The projects that have it, by id. */
  rename(input: { fromKey: string; toKey: string; path: string }, actor: Actor): Promise<number[]>
}

export type DeployOutcome =
  | { readonly kind: 'running'; readonly environment: Environment; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly environmentId: number | null }
  | { readonly kind: 'queued'; readonly position: number }

export interface DeployUseCases {
  /** `wait: false` answers `queued` as soon as it is written down. `not-found` for an absent branch, `conflict` for a host name. */
  deploy(
    projectId: number,
    input: { branch: string; wait: boolean },
    actor: Actor,
  ): Promise<DeployOutcome>
  rollback(
    projectId: number,
    input: { branch: string; toSha?: string; wait: boolean },
    actor: Actor,
  ): Promise<DeployOutcome>
  /** A verified push to a repository: what happened to each project that it belongs to. Persisted before it returns. */
  push(input: {
    remoteKey: string
    branch: string
    /** The branch was deleted. */
    isDeleted: boolean
    host: string
    deliveryId: string | null
    actor: Actor
  }): Promise<PushOutcome>
}

export type PushOutcome =
  | { readonly kind: 'queued'; readonly projectIds: readonly number[] }
  | { readonly kind: 'destroyed'; readonly environmentIds: readonly number[] }
  /** Seen before, or filtered by the project's branches. */
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'unknown-repository' }

export interface EnvironmentUseCases {
  find(id: number): Promise<Environment>
  list(projectId: number, branch?: string): Promise<Environment[]>
  listLive(nodeId?: number): Promise<Environment[]>
  destroy(id: number, input: { purgeSecrets: boolean }, actor: Actor): Promise<void>
  pause(id: number, actor: Actor): Promise<void>
  wake(id: number, actor: Actor): Promise<void>
  /** Oldest first. */
  logs(id: number, lines: number): Promise<LogLine[]>
  /** Ends when the environment is destroyed or `signal` says so. */
  followLogs(id: number, afterId: number | null, signal: AbortSignal): AsyncIterable<LogLine>
}

export interface ActivityUseCases {
  /** Synchronous on purpose: thousands a second. Unknown hosts are nothing. */
  heartbeat(hostname: string): void
  /** Starts waking and says what is there; undefined for an unknown host. */
  wakeByHost(hostname: string): Promise<{ branch: string; state: EnvironmentState } | undefined>
}

export interface SecretUseCases {
  list(scope: SecretScope): Promise<{ name: string; scope: SecretScope['kind'] }[]>
  set(input: { name: string; value: Redacted; scope: SecretScope }, actor: Actor): Promise<void>
  remove(name: string, scope: SecretScope, actor: Actor): Promise<void>
}

export interface TokenUseCases {
  /** The token itself is shown once. */
  create(
    input: {
      name: string
      projects: readonly number[] | null
      role: Role | null
      expiresInMs: number | null
    },
    actor: Actor,
  ): Promise<{ token: Token; secret: Redacted }>
  list(): Promise<Token[]>
  revoke(id: number, actor: Actor): Promise<void>
  /** The principal of a bearer token; undefined for unknown, expired and revoked ones. */
  authenticate(secret: string): Promise<Principal | undefined>
}

export interface NodeUseCases {
  register(
    input: {
      name: string
      endpoint: string
      address: string | null
      tls: { ca: string; cert: string; key: Redacted } | null
      reservedMemoryMb: number
    },
    actor: Actor,
  ): Promise<Node>
  list(): Promise<Node[]>
  update(
    id: number,
    input: { state?: NodeState; evacuate?: boolean },
    actor: Actor,
  ): Promise<{
    node: Node
    moved: number[]
    stuck: { environmentId: number; reason: string }[]
  }>
  remove(id: number, actor: Actor): Promise<void>
}

export interface Stats {
  readonly projects: number
  readonly environments: Readonly<Record<EnvironmentState, number>>
  readonly queueLength: number
  readonly host: { memoryBytes: number; memoryFreeBytes: number; cpuCount: number }
  readonly nodes: readonly {
    id: number
    name: string
    state: NodeState
    memoryBytes: number | null
    cpuCount: number | null
    committedMemoryMb: number
    environmentsLive: number
  }[]
}

export interface InfraStatus {
  /** What is wired, by name, with a sentence each. */
  readonly checks: readonly { name: string; ok: boolean; detail: string }[]
  readonly nextSteps: readonly string[]
}
