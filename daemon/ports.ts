/** What the use-cases need of the world. Adapters live one folder a port; `container.ts` joins them. */

import type {
  AuditEntry,
  AuditKind,
  Environment,
  EnvironmentState,
  Launch,
  Node,
  Project,
  QueueEntry,
  Role,
  Sealed,
  Secret,
  SecretScope,
  Token,
} from './domain/records.ts'

/** The database. Every method is one statement or one transaction; what it returns is plain data. */
export interface Store {
  readonly projects: ProjectStore
  readonly environments: EnvironmentStore
  readonly queue: QueueStore
  readonly audit: AuditStore
  readonly secrets: SecretStore
  readonly tokens: TokenStore
  readonly nodes: NodeStore
  readonly deliveries: DeliveryStore
  /** All of `work` or nothing of it. `work` uses only the store it is given and waits for nothing but the database. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ProjectStore {
  find(id: number): Promise<Project | undefined>
  /** By its source; used to make registering idempotent. */
  findBySource(
    source: Pick<Project, 'repoDir' | 'repoUrl' | 'context'>,
  ): Promise<Project | undefined>
  list(ids?: readonly number[] | null): Promise<Project[]>
  listByRemote(remoteKey: string): Promise<Project[]>
  create(draft: Omit<Project, 'id'>): Promise<Project>
  update(id: number, changes: Partial<Omit<Project, 'id'>>): Promise<Project | undefined>
  /** Its environments, queue entries, hostnames and secrets go with it; audit rows stay. */
  remove(id: number): Promise<boolean>
}

export interface EnvironmentStore {
  find(id: number): Promise<Environment | undefined>
  /** All rows of a project by id, oldest first. */
  list(projectId: number, branch?: string): Promise<Environment[]>
  /** The newest running, paused or hibernating row of a branch. */
  findLive(projectId: number, branch: string): Promise<Environment | undefined>
  findLiveByHostname(hostname: string): Promise<Environment | undefined>
  /** The live row of each branch, by id. */
  listLive(filter?: { nodeId?: number; projectId?: number }): Promise<Environment[]>
  listByState(states: readonly EnvironmentState[]): Promise<Environment[]>
  /** Branch's rows that were built and came to run, newest first, whatever they are now: what a rollback chooses from. */
  listSuccessful(projectId: number, branch: string): Promise<Environment[]>
  create(draft: Omit<Environment, 'id'>): Promise<Environment>
  /** Changes the row if it is still in one of `ifState` (all states when not given); the new row, or undefined. Sets `updatedAt` to `at`. */
  update(
    id: number,
    changes: Partial<Omit<Environment, 'id'>>,
    options: { at: number; ifState?: readonly EnvironmentState[] },
  ): Promise<Environment | undefined>
  /** Writes last accesses, one transaction for all. */
  touch(accesses: ReadonlyMap<number, number>): Promise<void>
  /** How many rows of each state there are. */
  count(): Promise<Record<EnvironmentState, number>>
  /** Takes a host name for a branch, or says who has it. Taking one's own again is fine. */
  claimHostname(
    hostname: string,
    projectId: number,
    branch: string,
  ): Promise<{ claimed: true } | { claimed: false; projectId: number; branch: string }>
  releaseHostname(projectId: number, branch: string): Promise<void>
  /** Grows at every change of a live row's hostname, state, port or node: what `/proxy/config` and the gateway cache by. */
  version(): number
}

export interface QueueStore {
  find(id: number): Promise<QueueEntry | undefined>
  /** Waiting and running ones, oldest first. */
  list(projectIds?: readonly number[] | null): Promise<QueueEntry[]>
  /** Adds it, or puts it in the place of the one that waits for the same branch (keeping that one's place in line). */
  put(
    draft: Pick<
      QueueEntry,
      'projectId' | 'branch' | 'commitSha' | 'operator' | 'requestId' | 'requestedAt'
    >,
  ): Promise<QueueEntry>
  /** Marks a waiting entry as running under a lease; undefined when it is gone, taken, or its branch has one running. */
  claim(id: number, lease: { owner: string; until: number }): Promise<QueueEntry | undefined>
  /** Extends a lease still held; false when it was lost. */
  renew(id: number, lease: { owner: string; until: number }): Promise<boolean>
  /** Only while `owner` still holds the lease (fencing); false when it was lost. */
  update(
    id: number,
    owner: string,
    changes: Partial<Pick<QueueEntry, 'environmentId' | 'lastError' | 'attempts'>>,
  ): Promise<boolean>
  /** Back to waiting, at its old place, not before a time; gives way to a newer entry that waits for the branch (then it is removed). */
  release(
    id: number,
    owner: string,
    changes: { notBefore: number; attempts: number; lastError: string | null },
  ): Promise<void>
  /** Entries whose lease has run out: back to waiting. Returns them. */
  releaseExpired(now: number): Promise<QueueEntry[]>
  remove(id: number): Promise<boolean>
}

export interface AuditFilter {
  readonly environmentId?: number
  readonly projectId?: number
  /** The projects a scoped credential may see. */
  readonly projectIds?: readonly number[]
  readonly branch?: string
  readonly kind?: AuditKind
  readonly since?: number
  readonly until?: number
  readonly limit: number
}

export interface AuditStore {
  write(entry: Omit<AuditEntry, 'id'>): Promise<void>
  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]>
}

export interface SecretStore {
  set(secret: Secret, at: number): Promise<void>
  remove(name: string, scope: SecretScope): Promise<boolean>
  /** Names of a scope, sorted. */
  list(scope: SecretScope): Promise<{ name: string; scope: SecretScope }[]>
  /** All that hold for a branch, global first, branch last: later ones win. */
  listFor(projectId: number, branch: string): Promise<Secret[]>
  removeBranch(projectId: number, branch: string): Promise<void>
}

export interface TokenStore {
  findByHash(hash: string): Promise<Token | undefined>
  list(): Promise<Token[]>
  create(draft: Omit<Token, 'id'>): Promise<Token>
  revoke(id: number, at: number): Promise<boolean>
}

export interface NodeStore {
  find(id: number): Promise<Node | undefined>
  list(): Promise<Node[]>
  /** By name: a known name is corrected. */
  put(draft: Omit<Node, 'id'>): Promise<Node>
  update(id: number, changes: Partial<Omit<Node, 'id'>>): Promise<Node | undefined>
  /** `in-use` while any environment row refers to it. */
  remove(id: number): Promise<'removed' | 'in-use' | 'absent'>
}

/** Webhook deliveries seen, so that a redelivery does nothing; forgotten after some days. */
export interface DeliveryStore {
  /** True when it was not seen before. */
  remember(host: string, id: string, at: number): Promise<boolean>
  forgetBefore(time: number): Promise<void>
}

/** Encrypts and decrypts what the store keeps. Synchronous: AES-256-GCM on short texts. */
export interface Vault {
  seal(value: Redacted): Sealed
  /** Throws DaemonError('internal') when the key does not fit. */
  open(value: Sealed): Redacted
}

/** A secret in memory: prints `[redacted]` however it is printed; `reveal()` is its only way out. */
export interface Redacted {
  reveal(): string
}

export interface Git {
  /** Brings the mirror of a project up to date; calls that come before a fetch begins share it. Throws `transient` on network faults. */
  fetch(project: GitSource, signal: AbortSignal): Promise<void>
  /** The commit of a branch in the mirror as last fetched, undefined when it is gone. */
  head(project: GitSource, branch: string): Promise<string | undefined>
  /** All branches of the mirror with their commits. */
  branches(project: GitSource): Promise<ReadonlyMap<string, string>>
  has(project: GitSource, commitSha: string): Promise<boolean>
  /** Writes the files of a commit (only `context`) into `folder`, which must not exist; no `.git` in it; symlinks that leave it are refused. */
  checkout(
    project: GitSource,
    commitSha: string,
    folder: string,
    signal: AbortSignal,
  ): Promise<void>
  /** Forgets the mirror. */
  remove(project: GitSource): Promise<void>
}

/** What git needs to know of a project. `token` is handed over by the environment of a helper, never in argv or a URL. */
export interface GitSource {
  readonly repoDir: string | null
  readonly repoUrl: string | null
  readonly context: string
  readonly token: Redacted | null
}

export interface Builder {
  /** Reads `strata.json` of a checkout and fills in the defaults. Throws `unprocessable` naming what is wrong. */
  plan(checkout: string): Promise<BuildPlan>
  /** Installs (from the cache of the lock file's hash where it can), builds, prunes. Throws `unprocessable` with the reason. */
  build(
    checkout: string,
    plan: BuildPlan,
    options: { env: Readonly<Record<string, string>>; output: OutputSink; signal: AbortSignal },
  ): Promise<void>
  /** Removes caches past the bounds; never those in use. */
  prune(): Promise<void>
}

export interface BuildPlan {
  readonly install: readonly string[] | null
  readonly build: readonly string[] | null
  readonly launch: Launch
}

export type OutputSink = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void

/** Where and how apps run. */
export interface Runtime {
  /** Starts an app; returns when its process exists, not when it answers. A name that runs already is adopted. */
  start(app: AppSpec): Promise<Instance>
  /** What runs now, dead daemon's children included, by name. */
  list(): Promise<ReadonlyMap<string, Instance>>
  /** Resolves when it has ended. SIGTERM, then SIGKILL to the whole group after `graceMs`. Absent: nothing to do. */
  stop(name: string, graceMs: number): Promise<void>
  /** Called once for each instance that ends by itself. */
  onExit(listener: (exit: InstanceExit) => void): void
  /** Answers the health path within the time, or throws `unprocessable` with what was seen (exited with…, refused, 500). */
  awaitHealthy(
    instance: Instance,
    health: { path: string | null; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<void>
  /** Total and free memory of the node in bytes, and its cores. */
  capacity(): Promise<{ memoryBytes: number; memoryFreeBytes: number; cpuCount: number }>
}

export interface AppSpec {
  /** Deterministic: `strata-<environment id>`. */
  readonly name: string
  readonly environmentId: number
  /** Absolute folder of the release. */
  readonly folder: string
  readonly launch: Launch
  /** Everything the app may see; secrets included. */
  readonly env: Readonly<Record<string, Redacted | string>>
}

export interface Instance {
  readonly name: string
  readonly environmentId: number
  readonly pid: number
  readonly port: number
  readonly startedAt: number
}

export interface InstanceExit {
  readonly name: string
  readonly environmentId: number
  readonly code: number | null
  readonly signal: string | null
}

export interface LogLine {
  /** Byte offset in the environment's log: grows, is never used twice. */
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
}

/** An environment's output, bounded on disk. */
export interface Logs {
  /** For the builder: text becomes lines with a time. */
  sink(
    environmentId: number,
    stream: LogLine['stream'],
  ): { write: OutputSink; end(): Promise<void> }
  tail(environmentId: number, lines: number): Promise<LogLine[]>
  /** From after `afterId` (or the last 50 lines), then as they come, until `signal`; a reader that is too slow is thrown out. */
  follow(environmentId: number, afterId: number | null, signal: AbortSignal): AsyncIterable<LogLine>
  /** Says to all who follow that nothing more comes. */
  end(environmentId: number): void
  remove(environmentId: number): Promise<void>
}

/** The gateway as the daemon sees it. */
export interface Gateway {
  /** Replaces what the gateway knows of one host; resolves when the gateway uses it (or is not there: it reads the snapshot when it comes). */
  route(route: Route): Promise<void>
  unroute(hostname: string): Promise<void>
  /** The whole truth, at start and when the gateway comes back. */
  replace(routes: readonly Route[]): Promise<void>
  /** Resolves when no request that went to the port is open any more, or the time is over. */
  drained(port: number, timeoutMs: number): Promise<void>
  /** Last request of each environment since the last call. */
  onAccess(listener: (accesses: ReadonlyMap<number, number>) => void): void
  /** Called when a request waits for a sleeping app; resolves when it may be forwarded, rejects with a sentence. */
  onWake(listener: (environmentId: number) => Promise<Route>): void
}

/** `port` is null while the app sleeps or is down: requests are held and a wake is asked for. */
export interface Route {
  readonly hostname: string
  readonly environmentId: number
  readonly port: number | null
  readonly wakeBudgetMs: number
}

export interface Clock {
  now(): number
  /** Rejects with the signal's reason. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** Probes the daemon's own host. No method throws; each answers within seconds. */
export interface HostProbe {
  /** Output of `git --version`; undefined if git does not run. */
  gitVersion(): Promise<string | undefined>
  /** Tells whether any HTTP response comes from a port of 127.0.0.1. */
  isServing(port: number): Promise<boolean>
  /** Tells whether the daemon may list, write and enter a folder. */
  isWritable(folder: string): Promise<boolean>
  /** Free bytes of the file system that holds a folder; undefined if unknown. */
  freeBytes(folder: string): Promise<number | undefined>
}

/** The methods of a pino logger that the daemon uses. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Who makes a request. `master` may all; a token what its role and projects allow. */
export type Principal =
  | { readonly kind: 'open' }
  | { readonly kind: 'master' }
  | {
      readonly kind: 'token'
      readonly id: number
      readonly name: string
      readonly role: Role
      readonly projects: readonly number[] | null
    }

/** The store with what only keys and backups ask of it; `createStore` makes one. */
export interface Database extends Store {
  readonly sealed: SealedValues
  transaction<T>(work: (database: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Writes what is committed now into a new file, while others go on writing. */
  snapshot(file: string): Promise<void>
}

export interface TransactionOptions {
  /** The commit is on the disk when the transaction resolves, power cuts included. */
  readonly durable?: boolean
  /** Called right after the commit, before anybody else can do anything. */
  readonly committed?: () => void
}

/** Every encrypted value of the database. */
export interface SealedValues {
  /** The key under which all of them are; undefined in a database that has none yet. */
  keyId(): Promise<string | undefined>
  /** Writes down the key, in the transaction that brings all values under it. */
  bookKey(keyId: string): Promise<void>
  count(): Promise<number>
  /** Puts what `reseal` makes of each in its place. Returns how many there were. */
  replace(reseal: (value: Sealed) => Sealed): Promise<number>
  /** From now on what is written goes through `refresh`, inside the transaction that writes it. */
  onWrite(refresh: (value: Sealed) => Sealed): void
}

/** The vault with what rotating its key and making backups ask of it; `createVault` makes one. */
export interface KeyVault extends Vault {
  /** The key of now. */
  keyId(): string
  /** `environment`: the operator owns the key, and it can't be rotated here. */
  readonly keptIn: 'file' | 'environment'
  /** A key of now or of before as 64 hex digits; undefined for one this process has not used. */
  key(keyId: string): Redacted | undefined
  /** A new key, durable beside the one of now. Throws `conflict` where the operator owns the key. */
  prepareNext(): Promise<NextKey>
}

export interface NextKey {
  readonly keyId: string
  reseal(value: Sealed): Sealed
  /** Seals with it from now on. Synchronous: to be called as the database commits. */
  use(): void
  /** Puts it in the place of the one before, durably. */
  keep(): Promise<void>
}

/** Whole copies of the state: made, staged to be put back at the next start. */
export interface Archives {
  /** A tar of a snapshot, its key and a manifest. What it needs on disk is gone when `body` has ended, however it did. */
  create(): Promise<{ fileName: string; body: NodeJS.ReadableStream }>
  /** Reads a tar, validates all of it and stages it. Throws `too-large`, or `unprocessable` with what is wrong. */
  stage(body: NodeJS.ReadableStream): Promise<{ createdAt: number }>
}
