/**
 * What the daemon remembers, as its use-cases see it. Times are milliseconds since 1970 (UTC), durations are texts
 * such as `30m`; what goes over the wire is made from these by `daemon/api`.
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
  /** Normalized; never holds a credential. */
  readonly repoUrl: string | null
  /** Folder inside the repository, `''` for its root; never climbs. */
  readonly context: string
  /** `host/owner/name`, lower case, no `.git`: what a webhook's repository is compared with. */
  readonly remoteKey: string | null
  /** First guess of the `<project>` part of hostnames. */
  readonly name: string
  readonly pauseAfter: string
  readonly destroyAfter: string
  readonly branches: readonly string[]
  readonly ignore: readonly string[]
  readonly maxEnvironments: number | null
  /** Sealed by the vault. */
  readonly gitToken: Sealed | null
  readonly createdAt: number
}

/** One row a deploy. */
export interface Environment {
  readonly id: number
  readonly projectId: number
  readonly branch: string
  readonly commitSha: string
  readonly state: EnvironmentState
  /** Full host name, as `main--shop.localhost`. */
  readonly hostname: string
  readonly reason: string | null
  /** Who asked: a token's name, `master`, `webhook:github`, `daemon`. */
  readonly operator: string
  /** The port the app listens on now. */
  readonly hostPort: number | null
  /** Name of the process group or container. */
  readonly containerName: string | null
  readonly nodeId: number
  /** Memory that admission counts for it while it runs. */
  readonly memoryMb: number
  /** Folder of the release under the data folder, `null` until built and after it was pruned. */
  readonly release: string | null
  /** How to start it again without its repository: what the plan was when it was built. */
  readonly launch: Launch | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastAccessedAt: number
}

/** The `deploy` section of `strata.json` at the commit, with every default filled in. */
export interface Launch {
  /** Folder inside the release where the program starts. */
  readonly root: string
  readonly start: readonly string[]
  /** Path that must answer before traffic moves; `null`: any HTTP answer on `/`. */
  readonly health: string | null
  readonly healthTimeoutMs: number
  /** A port the app insists on instead of `PORT`; `null` in nearly all apps. */
  readonly port: number | null
  readonly memoryMb: number
  readonly env: Readonly<Record<string, string>>
  readonly keepReleases: number
}

export type QueueState = 'waiting' | 'running'

/** A deploy that was asked for and is not finished. At most one waiting and one running for each branch. */
export interface QueueEntry {
  readonly id: number
  readonly projectId: number
  readonly branch: string
  /** The commit to deploy, `null`: the branch's head when the deploy starts. */
  readonly commitSha: string | null
  readonly operator: string
  readonly requestId: string
  readonly requestedAt: number
  readonly attempts: number
  readonly state: QueueState
  /** Not to be tried before this time (back-off). */
  readonly notBefore: number
  /** Who works at it, until when; `null` while it waits. */
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
] as const
export type AuditKind = (typeof auditKinds)[number]

export interface AuditEntry {
  readonly id: number
  readonly environmentId: number | null
  readonly projectId: number | null
  readonly branch: string | null
  readonly kind: AuditKind
  /** A sentence; never holds a secret. */
  readonly detail: string
  readonly occurredAt: number
  readonly operator: string
  readonly requestId: string | null
}

export const roles = ['viewer', 'developer', 'maintainer', 'admin'] as const
export type Role = (typeof roles)[number]

export interface Token {
  readonly id: number
  readonly name: string
  /** SHA-256 of the token, hex. */
  readonly hash: string
  /** The projects it may see; `null`: all. */
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
  /** What it was before a failed probe said `down`. */
  readonly stateBeforeDown: Exclude<NodeState, 'down'>
  readonly reason: string | null
  readonly createdAt: number
}

/** Where a secret holds: everywhere, in a project, or in one branch of it. */
export type SecretScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly projectId: number }
  | { readonly kind: 'branch'; readonly projectId: number; readonly branch: string }

export interface Secret {
  readonly name: string
  readonly scope: SecretScope
  readonly value: Sealed
}

/** An encrypted value as it is stored: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url parts. */
export type Sealed = string & { readonly sealed: unique symbol }
