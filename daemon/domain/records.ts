/**
 * Records of the daemon. Times are milliseconds since 1970 (UTC), durations are texts such as `30m`. `daemon/api` maps
 * records to JSON.
 */

export type EnvironmentState =
  | 'building'
  | 'build_failed'
  | 'running'
  | 'paused'
  | 'hibernating'
  | 'destroyed'

export interface Project {
  readonly id: number
  /** Absolute path of a repository on the daemon's host. Exactly one of `repoDir` and `repoUrl` is set. */
  readonly repoDir: string | null
  /** Normalized URL; never contains a credential. */
  readonly repoUrl: string | null
  /** Folder inside the repository, `''` for its root; never contains `..`. */
  readonly context: string
  /** `host/owner/name`, lower case, without `.git`. Matches the repository of a webhook. */
  readonly remoteKey: string | null
  /** Name from which the `<project>` part of host names is derived. */
  readonly name: string
  readonly pauseAfter: string
  /** Idle time before destruction; `null`: never. The default branch is never destroyed by idleness. */
  readonly destroyAfter: string | null
  /** The branch of the remote's HEAD, otherwise the first deployed branch; null before the first deploy. */
  readonly defaultBranch: string | null
  readonly branches: readonly string[]
  readonly ignore: readonly string[]
  readonly maxEnvironments: number | null
  /** Git token, encrypted by the vault. */
  readonly gitToken: Sealed | null
  /** Secret of the project's own webhooks, encrypted by the vault. The secret of the daemon is valid beside it. */
  readonly webhookSecret: Sealed | null
  /** Time of the first push that a webhook reported; null if none has. */
  readonly webhookAt: number | null
  readonly createdAt: number
}

/** A host name of its own under which a project serves a branch. */
export interface Domain {
  readonly id: number
  readonly projectId: number
  /** Lower case, in Punycode, without a trailing dot. Unique over all projects. */
  readonly domain: string
  /** `null`: the default branch. */
  readonly branch: string | null
  readonly createdAt: number
  /** The newest certificate of an authority; null before the first. */
  readonly certificate: Certificate | null
  /** Reason for the last failure to get a certificate; null after a success. */
  readonly fault: string | null
  /** Number of consecutive failures. */
  readonly failures: number
  /** No request for a certificate before this time. */
  readonly tryAfter: number
}

export interface Certificate {
  /** PEM, leaf first. */
  readonly chain: string
  readonly key: Sealed
  readonly notBefore: number
  readonly notAfter: number
}

/** A version of a branch. Each deploy inserts a new environment. */
export interface Environment {
  readonly id: number
  readonly projectId: number
  readonly branch: string
  readonly commitSha: string
  readonly state: EnvironmentState
  /** Full host name, such as `main--shop.localhost`. */
  readonly hostname: string
  readonly reason: string | null
  /** The requester: a token's name, `master`, `webhook:github:ada`, `daemon`. */
  readonly operator: string
  /** The port of the running process; null if the app sleeps or is down. */
  readonly hostPort: number | null
  /** Address of the node that runs the app; null for the daemon's own host. */
  readonly hostAddress: string | null
  /** Name of the process group or container. */
  readonly containerName: string | null
  readonly nodeId: number
  /** MiB that admission reserves while the app runs. */
  readonly memoryMb: number
  /** Release folder relative to `releases/`; null before the build and after pruning. */
  readonly release: string | null
  /** Start settings as of the build, so that a start requires no repository. */
  readonly launch: Launch | null
  /** Reasons of the processes beside the web process that are down now, by name. Absent: none. */
  readonly processFaults?: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastAccessedAt: number
}

/** The `deploy` section of `strata.json` at a commit, with all defaults. */
export interface Launch {
  /** Folder inside the release where the program starts. */
  readonly root: string
  /** Program and arguments; empty for the own command of an image. */
  readonly start: readonly string[]
  /** True if the words of `start` have variables, for `expandWords`. */
  readonly startHasVariables?: boolean
  /** Path that must respond before requests are routed to the app; `null`: any HTTP response on `/`. */
  readonly health: string | null
  readonly healthTimeoutMs: number
  /** Fixed port of an app that ignores `PORT`; usually `null`. */
  readonly port: number | null
  readonly memoryMb: number
  /** Number of CPU cores, with fractions; `null`: unlimited. */
  readonly cpus: number | null
  /** Maximum number of processes and threads. */
  readonly pids: number
  readonly env: Readonly<Record<string, string>>
  /** Names of secrets that the first deploy makes for the project, unless they exist; absent: none. */
  readonly generate?: readonly string[]
  /** True: the app's files can't be changed, apart from `/tmp` and its data. Only the docker runtime enforces it. */
  readonly readOnly?: boolean
  readonly keepReleases: number
  /** Absent: the daemon makes no database for the app. */
  readonly store?: StoreWish
  /** Names of the migrations of the app's store; absent if the app has no folder of migrations. */
  readonly migrations?: readonly string[]
  /** Processes beside the web process; absent: none. */
  readonly processes?: readonly LaunchProcess[]
  /** Commands that run at certain times; absent: none. */
  readonly schedules?: readonly LaunchSchedule[]
}

/** Kinds of stores of `deploy.store`. The data of `sqlite` is in files of the branch's volume. */
export const storeKinds = ['postgres', 'mysql', 'mongodb', 'sqlite'] as const
/** Kinds of servers on which the daemon makes databases. */
export type ServerKind = Exclude<(typeof storeKinds)[number], 'sqlite'>

/** `deploy.store`: the database of each branch. `copy`: a preview begins with the data of the default branch. */
export interface StoreWish {
  readonly kind: (typeof storeKinds)[number]
  readonly data: 'empty' | 'copy'
}

/** A database that the daemon made for a branch. It outlives the project of a trash entry. */
export interface BranchDatabase {
  readonly id: number
  readonly projectId: number
  readonly branch: string
  readonly kind: ServerKind
  /** Name of the database and of its user, unique over all daemons of a server. */
  readonly name: string
  readonly password: Sealed
  /** `creating`: the database may be missing or incomplete on the server. */
  readonly state: 'creating' | 'ready'
  /** The trash entry that keeps the database; null for the database of a branch. */
  readonly trashId: number | null
  readonly createdAt: number
}

/** A command that runs at certain times: see `ScheduleTimes`. */
export interface LaunchSchedule extends LaunchProcess {
  readonly schedule: string
  readonly timezone: string
  readonly timeoutMs: number
  /** True: also for other branches than the default one. */
  readonly hasPreviews?: boolean
}

export const scheduleOutcomes = [
  'running',
  'succeeded',
  'failed',
  'timed_out',
  /** The run ended while no daemon ran. */
  'unknown',
  /** The previous run had not ended. */
  'skipped',
  /** The run was not started, for example because no daemon ran. */
  'missed',
] as const

/** A run of a schedule, or the reason why it did not run. */
export interface ScheduleRun {
  readonly id: number
  readonly projectId: number
  readonly branch: string
  readonly name: string
  readonly environmentId: number
  readonly dueAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly outcome: (typeof scheduleOutcomes)[number]
  readonly exitCode: number | null
  /** Explanation for users; null for a run that succeeded. */
  readonly detail: string | null
}

/** Returns the MiB that an app may use: each of its processes has the limit. */
export function memoryOf({ memoryMb, processes = [] }: Launch): number {
  return memoryMb * (1 + processes.length)
}

/** A process beside the web process, such as a worker. It has the limits of the web process. */
export interface LaunchProcess {
  readonly name: string
  readonly start: readonly string[]
  readonly startHasVariables?: boolean
  /** Variables that its command sets before its program. */
  readonly env?: Readonly<Record<string, string>>
}

export type QueueState = 'waiting' | 'running'

/** A requested, unfinished deploy. Each branch has at most one waiting and one running queue entry. */
export interface QueueEntry {
  readonly id: number
  readonly projectId: number
  readonly branch: string
  /** The commit to deploy; `null`: the head of the branch when the deploy starts. */
  readonly commitSha: string | null
  readonly operator: string
  readonly requestId: string
  readonly requestedAt: number
  readonly attempts: number
  readonly state: QueueState
  /** Earliest time of the next attempt (back-off). */
  readonly notBefore: number
  /** Lease of a running entry: the owning daemon and the expiry time; `null` while waiting. */
  readonly lease: { readonly owner: string; readonly until: number } | null
  readonly environmentId: number | null
  readonly lastError: string | null
}

export const auditKinds = [
  'build_succeeded',
  'build_failed',
  'idle_timeout',
  'paused',
  'woken',
  'deep_sleep',
  'ttl_expired',
  'destroy',
  'project_created',
  'project_updated',
  'project_deleted',
  'secret_set',
  'secret_deleted',
  'token_created',
  'token_revoked',
  'node_registered',
  'node_updated',
  'node_removed',
  'key_rotated',
  'backup_created',
  'restore_staged',
  'restore_applied',
  'restore_rejected',
  'data_restored',
  'data_purged',
  'data_read',
  'command_started',
  'command_ended',
  'domain_added',
  'domain_removed',
  'certificate_issued',
  'certificate_failed',
] as const
export type AuditKind = (typeof auditKinds)[number]

export interface AuditEntry {
  readonly id: number
  readonly environmentId: number | null
  readonly projectId: number | null
  readonly branch: string | null
  readonly kind: AuditKind
  /** Explanation for users; never contains a secret. */
  readonly detail: string
  readonly occurredAt: number
  readonly operator: string
  readonly requestId: string | null
}

export const trashReasons = ['destroyed', 'expired', 'branch_deleted', 'project_deleted'] as const
export type TrashReason = (typeof trashReasons)[number]

/** The data of a destroyed branch, kept in the trash. It outlives its project. */
export interface TrashEntry {
  readonly id: number
  readonly projectId: number
  /** Name of the project when the branch was destroyed. */
  readonly project: string
  /** `repoDir` or `repoUrl` of the project when the branch was destroyed. */
  readonly source: string
  readonly branch: string
  /** The former folder of the data, relative to `volumes/`. */
  readonly volume: string
  /** `moving` and `purging`: the data may still be in its volume. `purging` ends with the removal of the data. */
  readonly state: 'moving' | 'kept' | 'purging'
  /** Bytes on disk; null if unknown. */
  readonly sizeBytes: number | null
  readonly trashedAt: number
  readonly expiresAt: number
  readonly operator: string
  readonly reason: TrashReason
}

export const roles = ['viewer', 'developer', 'maintainer', 'admin'] as const
export type Role = (typeof roles)[number]

export interface Token {
  readonly id: number
  readonly name: string
  /** SHA-256 of the token, hex. */
  readonly hash: string
  /** Ids of the visible projects; `null`: all. */
  readonly projects: readonly number[] | null
  readonly role: Role
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly createdAt: number
}

export type NodeState = 'active' | 'draining' | 'down'

export interface Node {
  readonly id: number
  readonly name: string
  /** `local`, `tcp://host:2376` or `unix://…`. */
  readonly endpoint: string
  readonly address: string | null
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: Sealed } | null
  readonly reservedMemoryMb: number
  readonly state: NodeState
  /** The state before a failed probe set the node to `down`. */
  readonly stateBeforeDown: Exclude<NodeState, 'down'>
  readonly reason: string | null
  readonly createdAt: number
}

/** Scope of a secret: all apps, one project, or one branch of a project. */
export type SecretScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly projectId: number }
  | { readonly kind: 'branch'; readonly projectId: number; readonly branch: string }

export interface Secret {
  readonly name: string
  readonly scope: SecretScope
  readonly value: Sealed
  /** True for a variable that is no secret: the API returns its value, and logs show it. */
  readonly isReadable?: boolean
}

/** A stored encrypted value: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url parts. */
export type Sealed = string & { readonly sealed: unique symbol }
