/**
 * The use cases of the daemon, one method for each endpoint. `daemon/http` checks credentials and parses input first.
 * Expected errors are DaemonError: unknown ids throw `not-found`.
 */

import type { Readable } from 'node:stream'
import type { Change } from '../../domain/changes.ts'
import type { DnsRecord, DomainState } from '../../domain/own-domains.ts'
import type { LogKey } from '../../domain/process-names.ts'
import type { NotificationEvent, Receiver, StatusHost } from '../../domain/receivers.ts'
import type {
  AuditEntry,
  BranchDatabase,
  Domain,
  Environment,
  EnvironmentState,
  LaunchSchedule,
  Node,
  NodeState,
  Project,
  QueueEntry,
  Role,
  ScheduleRun,
  SecretScope,
  Token,
  TrashEntry,
} from '../../domain/records.ts'
import type { Traffic } from '../../domain/traffic.ts'
import type {
  Archive,
  AuditFilter,
  GitPush,
  LogLine,
  OneOffEnd,
  OneOffIo,
  Principal,
  Redacted,
  RefAnswer,
  Wall,
} from '../../ports.ts'
import type { WebhookReach } from './webhook-reach.ts'

/** The caller of a use case. Audit records contain `operator` and `requestId`. */
export interface Actor {
  readonly principal: Principal
  /** `open` (no authentication), `master`, a token's name, `webhook:github:ada` or `daemon`. */
  readonly operator: string
  readonly requestId: string
}

export interface UseCases {
  readonly projects: ProjectUseCases
  readonly repositories: RepositoryUseCases
  readonly deploys: DeployUseCases
  readonly environments: EnvironmentUseCases
  readonly commands: CommandUseCases
  readonly schedules: ScheduleUseCases
  readonly activity: ActivityUseCases
  readonly secrets: SecretUseCases
  readonly webhookSecrets: WebhookSecretUseCases
  readonly domains: DomainUseCases
  readonly receivers: ReceiverUseCases
  readonly tokens: TokenUseCases
  readonly trash: TrashUseCases
  readonly databases: DatabaseUseCases
  readonly nodes: NodeUseCases
  readonly audit: { list(filter: AuditFilter): Promise<AuditEntry[]> }
  readonly queue: {
    list(projectIds: readonly number[] | null): Promise<QueueEntry[]>
    /** Removes a waiting deploy from the queue. Throws `conflict` if the deploy is running. */
    remove(id: number, actor: Actor): Promise<void>
  }
  readonly stats: { read(): Promise<Stats> }
  readonly events: EventUseCases
  readonly usage: UsageUseCases
  readonly infra: {
    status(): Promise<InfraStatus>
    bootstrap(actor: Actor): Promise<InfraStatus>
  }
  readonly keys: { rotate(actor: Actor): Promise<{ values: number }> }
  readonly backups: {
    /** Streams a tar of database snapshot, key and manifest, and the data of apps if `withData`. */
    create(options: { withData: boolean }, actor: Actor): Promise<Archive>
    /** Validates a tar and stages it for the next start. `announcedBytes` is 0 if the size is unknown. */
    stageRestore(body: NodeJS.ReadableStream, announcedBytes: number, actor: Actor): Promise<void>
  }
}

export interface ProjectUseCases {
  register(
    input: {
      repoDir?: string
      repoUrl?: string
      /** Name of a repository that the daemon hosts. */
      hosted?: string
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
      /** `null`: never. */
      destroyAfter?: string | null
      /** `null` removes the token. */
      gitToken?: Redacted | null
      branches?: readonly string[]
      ignore?: readonly string[]
      maxEnvironments?: number | null
    },
    actor: Actor,
  ): Promise<Project>
  /** Deletes a project. Its data goes to the trash, or is removed now with `purgeData`. */
  remove(id: number, input: { purgeData: boolean }, actor: Actor): Promise<void>
  /** Updates projects whose repository was renamed or moved at its host. Returns their ids. */
  rename(
    input: WebhookReach & { fromKey: string; toKey: string; path: string },
    actor: Actor,
  ): Promise<number[]>
}

/** The client of a push. */
export interface Pusher {
  say(line: string): void
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal
  /** Aborted when the daemon stops: the push is answered at once, and its deploys continue after the next start. */
  readonly closing: AbortSignal
}

/** Repositories that the daemon hosts. */
export interface RepositoryUseCases {
  /** Finds the project of a hosted repository by its name. */
  find(name: string): Promise<Project>
  /** Prepares a repository for a request. Throws `transient` or `unprocessable` if a push has no room. */
  open(projectId: number, input: { isPush: boolean }): Promise<void>
  /**
   * Handles a push whose objects are stored: moves its branches, queues their deploys, and resolves when they have
   * ended, or after 10 minutes. Branches and deploys are durable before the first line is said.
   */
  receive(
    projectId: number,
    push: GitPush,
    pusher: Pusher,
    actor: Actor,
  ): Promise<readonly RefAnswer[]>
}

export type DeployOutcome =
  | { readonly kind: 'running'; readonly environment: Environment; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly environmentId: number | null }
  | { readonly kind: 'queued'; readonly position: number }

export interface DeployUseCases {
  /**
   * Deploys the head of a branch. `wait: false` resolves with `queued` when the request is persisted. Throws `not-found`
   * for an absent branch, `conflict` if another branch owns the host name.
   */
  deploy(
    projectId: number,
    input: { branch: string; wait: boolean },
    actor: Actor,
  ): Promise<DeployOutcome>
  /**
   * Deploys an earlier commit: the commit whose SHA starts with `toSha`, by default the newest other commit. Throws
   * `conflict` if migrations have run that the commit does not contain, unless `overMigrations` is set.
   */
  rollback(
    projectId: number,
    input: { branch: string; toSha?: string; overMigrations?: boolean; wait: boolean },
    actor: Actor,
  ): Promise<DeployOutcome>
  /** Handles a verified push for all projects of a repository. Resolves when its effect is persisted. */
  push(
    input: WebhookReach & {
      remoteKey: string
      branch: string
      /** The payload says that the push deleted the branch. Nothing is destroyed unless the remote confirms this. */
      isDeleted: boolean
      host: string
      deliveryId: string | null
      actor: Actor
    },
  ): Promise<PushOutcome>
}

export type PushOutcome =
  | { readonly kind: 'queued'; readonly projectIds: readonly number[] }
  | { readonly kind: 'destroyed'; readonly environmentIds: readonly number[] }
  /** The push is a duplicate, has an invalid or excluded branch name, or is an unconfirmed deletion. */
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'unknown-repository' }

export interface EnvironmentUseCases {
  find(id: number): Promise<Environment>
  /** Lists a project's environments. With `branch`, lists only its live environment, or its newest if none is live. */
  list(projectId: number, branch?: string): Promise<Environment[]>
  listLive(nodeId?: number): Promise<Environment[]>
  /**
   * Destroys an environment. The data of a branch without another environment goes to the trash. `purgeData` removes the
   * branch's data now, including data in the trash.
   */
  destroy(
    id: number,
    input: { purgeSecrets: boolean; purgeData?: boolean },
    actor: Actor,
  ): Promise<void>
  pause(id: number, actor: Actor): Promise<void>
  wake(id: number, actor: Actor): Promise<void>
  /** Returns the log of a process; default: the web process, with the build. Throws `not-found` for an unknown one. */
  logOf(id: number, process: string | undefined): Promise<LogKey>
  /** Returns the last `lines` lines, oldest first. */
  logs(id: number, lines: number, process?: string): Promise<LogLine[]>
  /**
   * Yields log lines after `afterId` (null: the last `newest`, by default 50). Ends when the environment ends or `signal`
   * aborts.
   */
  followLogs(
    id: number,
    afterId: number | null,
    signal: AbortSignal,
    options?: { readonly newest?: number; readonly process?: string | undefined },
  ): AsyncIterable<LogLine>
}

export interface CommandUseCases {
  /**
   * Runs a command in the release of a live environment, beside its app, until it ends or `signal` is aborted. Masks
   * secrets in its output.
   */
  run(
    environmentId: number,
    request: OneOffIo & { readonly command: readonly string[] },
    actor: Actor,
  ): Promise<OneOffEnd>
}

export interface ScheduleUseCases {
  /** Lists the schedules of an environment. `nextAt` is null if the schedule does not run in it; `runs` are the newest. */
  list(environmentId: number): Promise<
    {
      schedule: LaunchSchedule
      nextAt: number | null
      runs: readonly ScheduleRun[]
    }[]
  >
}

export interface ActivityUseCases {
  /** Records an access. Synchronous and cheap, for thousands of calls a second. No-op for an unknown host. */
  heartbeat(hostname: string): void
  /** Starts a wake and returns the environment's previous state; undefined for an unknown host. */
  wakeByHost(hostname: string): Promise<{ branch: string; state: EnvironmentState } | undefined>
}

export interface SecretUseCases {
  list(scope: SecretScope): Promise<{ name: string; scope: SecretScope['kind'] }[]>
  /** Sets a variable. It is a secret unless `isReadable` is true. */
  set(
    input: { name: string; value: Redacted; scope: SecretScope; isReadable?: boolean },
    actor: Actor,
  ): Promise<void>
  /** Lists the variables of a scope; `value` is null for a secret. */
  variables(
    scope: SecretScope,
  ): Promise<{ name: string; scope: SecretScope['kind']; value: string | null }[]>
  remove(name: string, scope: SecretScope, actor: Actor): Promise<void>
}

/** Secrets with which a git host signs the deliveries of one project. */
export interface WebhookSecretUseCases {
  /** Replaces the secret of a project by a new one. No later call returns the new secret. */
  create(projectId: number, actor: Actor): Promise<Redacted>
  /** Throws `not-found` if the project has no secret of its own. */
  remove(projectId: number, actor: Actor): Promise<void>
  /** Returns true if any project has a secret of its own. */
  exist(): Promise<boolean>
  /** Lists the secrets of the projects of a repository, which may have several names. */
  listFor(remoteKeys: readonly string[]): Promise<{ projectId: number; secret: Redacted }[]>
}

/** A domain with the facts that are not in the database. */
export interface DomainView {
  readonly domain: Domain
  readonly state: DomainState
  /** End of the certificate's life; null without a certificate. */
  readonly expiresAt: number | null
  /** Time of the renewal; null if the daemon does not renew the certificate. */
  readonly renewsAt: number | null
  /** Records with which the domain leads to this server; empty if its public address is unknown. */
  readonly records: readonly DnsRecord[]
}

/** A receiver with the number of messages that wait for it. */
export interface ReceiverView {
  readonly receiver: Receiver
  readonly waiting: number
}

/** `projectId` null stands for the server. */
export interface ReceiverUseCases {
  listWebhooks(projectId: number | null): Promise<ReceiverView[]>
  /** Returns the signing key, which is never shown again. Throws `bad-request` for a URL that is not allowed. */
  addWebhook(
    input: {
      projectId: number | null
      url: string
      events?: readonly NotificationEvent[] | undefined
    },
    actor: Actor,
  ): Promise<ReceiverView & { readonly signingKey: Redacted }>
  removeWebhook(projectId: number | null, id: number, actor: Actor): Promise<void>
  /** Sends a test now. Throws `unprocessable` with the reason if the receiver does not accept it. */
  testWebhook(
    projectId: number | null,
    id: number,
    signal: AbortSignal,
  ): Promise<{ readonly status: number }>
  findStatuses(projectId: number): Promise<ReceiverView>
  /** Sets the git host that gets commit statuses. `apiUrl` and `repository` default to those of the project's remote. */
  setStatuses(
    input: {
      projectId: number
      host: StatusHost
      token: Redacted
      apiUrl?: string | undefined
      repository?: string | undefined
    },
    actor: Actor,
  ): Promise<ReceiverView>
  removeStatuses(projectId: number, actor: Actor): Promise<void>
}

export interface DomainUseCases {
  list(projectId: number): Promise<DomainView[]>
  /**
   * Registers a domain, or moves a domain of the project to another branch. Idempotent. Throws `bad-request` for a name
   * that is not a domain, `conflict` if it belongs to another project, and `unprocessable` with the DNS records if it does
   * not lead to this server.
   */
  add(
    input: { projectId: number; domain: string; branch: string | null },
    actor: Actor,
  ): Promise<DomainView>
  /**
   * Asks for the certificate of a domain in trouble again, without its delay. Throws `not-found` if the project does not
   * have the domain, `unprocessable` with the DNS records if it does not lead to this server, and `throttled` within 12
   * minutes of the previous call that asked the authority.
   */
  retry(projectId: number, domain: string): Promise<DomainView>
  remove(projectId: number, domain: string, actor: Actor): Promise<void>
}

export interface TokenUseCases {
  /** Creates a token. No later call returns its secret. */
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
  /** Returns the principal of a bearer token; undefined for an unknown, expired or revoked token. */
  authenticate(secret: string): Promise<Principal | undefined>
  /** Resolves when the token of an authenticated principal is revoked or expires, or when `signal` is aborted. */
  awaitEnd(token: Extract<Principal, { kind: 'token' }>, signal: AbortSignal): Promise<void>
}

/**
 * One item of the event stream. `reset`: the reader has missed changes and must read everything again. `ready`: the reader
 * has received all changes so far.
 */
export type DaemonEvent =
  | { readonly id: string; readonly kind: 'ready' | 'reset' }
  | { readonly id: string; readonly kind: 'change'; readonly change: Change }

export interface EventUseCases {
  /**
   * Returns the changes that `reader` may see, after the event `lastId`; null starts with the next change. They end when
   * `signal` is aborted. Throws `bad-request` for a malformed id.
   */
  follow(lastId: string | null, reader: Principal, signal: AbortSignal): AsyncIterable<DaemonEvent>
}

export interface TrashUseCases {
  find(id: number): Promise<TrashEntry>
  /** Lists the data in the trash, newest first. `null`: of all projects, deleted ones too. */
  list(projectIds: readonly number[] | null): Promise<TrashEntry[]>
  /** Returns true if the entry's project was deleted. */
  isOrphan(entry: TrashEntry): Promise<boolean>
  /**
   * Moves data back to its branch, or to the same branch of `projectId` if the entry's project was deleted. Throws
   * `conflict` if that branch has data or an environment.
   */
  restore(
    id: number,
    input: { projectId: number | undefined },
    actor: Actor,
  ): Promise<{ projectId: number; branch: string }>
  purge(id: number, actor: Actor): Promise<void>
}

/** The databases that the daemon made for branches. Methods throw `not-found` if a branch has none. */
export interface DatabaseUseCases {
  /** Lists the databases of a project's branches, without those in the trash. */
  list(projectId: number): Promise<BranchDatabase[]>
  /** Returns the URL with the password. */
  url(projectId: number, branch: string, actor: Actor): Promise<Redacted>
  /** Streams a dump of one instant. */
  dump(projectId: number, branch: string, actor: Actor, signal: AbortSignal): Promise<DatabaseDump>
  /**
   * Replaces the data of a branch by a dump, or by the data of another branch. The app sleeps for the moment of the
   * change. Returns the id of the trash entry with the previous database. Throws `conflict` during a deploy of the branch.
   */
  restore(
    projectId: number,
    branch: string,
    dump: Readable,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<number>
  copy(
    projectId: number,
    branches: { from: string; to: string },
    actor: Actor,
    signal: AbortSignal,
  ): Promise<number>
}

export interface DatabaseDump {
  readonly fileName: string
  readonly body: Readable
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

/** The use of a running app at a time, in milliseconds since 1970. */
export interface UsageSample {
  readonly at: number
  readonly memoryBytes: number
  /** Average number of busy processors since the previous sample; null if unknown. */
  readonly cpu: number | null
}

/** Use and requests of an app in a slot of time. Numbers are null if the app was not measured. */
export interface UsageSlot {
  /** Begin of the slot. */
  readonly at: number
  readonly memoryBytes: number | null
  /** Average number of busy processors. */
  readonly cpu: number | null
  readonly traffic: Traffic
}

/** The requests of a branch since the start of the daemon, and its present use. */
export interface BranchTotals {
  readonly projectId: number
  readonly branch: string
  readonly traffic: Traffic
  readonly memoryBytes: number | null
  readonly cpu: number | null
}

export interface UsageUseCases {
  /** Returns the slots of the last seven days of an environment's branch, oldest first. */
  week(
    environmentId: number,
  ): Promise<{ environment: Environment; slotMs: number; slots: UsageSlot[] }>
  /** Returns the totals of branches, at most 1,000. */
  totals(): Promise<BranchTotals[]>
  /** Returns the samples of an environment that the daemon keeps in memory, oldest first. */
  history(
    environmentId: number,
  ): Promise<{ environment: Environment; intervalMs: number; samples: UsageSample[] }>
  /** Returns the newest sample of each running environment. `null`: of all projects. */
  newest(
    projectIds: readonly number[] | null,
  ): Promise<{ environment: Environment; sample: UsageSample }[]>
}

export interface Stats {
  readonly projects: number
  readonly environments: Readonly<Record<EnvironmentState, number>>
  readonly queueLength: number
  readonly data: readonly { projectId: number; bytes: number | null; quotaBytes: number | null }[]
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
  readonly trash: { readonly entries: number; readonly bytes: number }
}

export interface InfraStatus {
  /** Results of the checks, each with an explanation. */
  readonly checks: readonly { name: string; ok: boolean; detail: string }[]
  readonly nextSteps: readonly string[]
  readonly walls: readonly Omit<Wall, 'next'>[]
}
