/**
 * Ports (interfaces) that the use cases depend on. Each adapter has its own folder; `container.ts` connects them. Times
 * are milliseconds since 1970 (UTC). Ids start at 1 and are never reused. Expected errors are DaemonError; other errors
 * are bugs.
 */

import type { ChildProcess, StdioOptions } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Change } from './domain/changes.ts'
import type { Endpoint } from './domain/endpoints.ts'
import type { LogKey } from './domain/process-names.ts'
import type { OutgoingMessage, Receiver } from './domain/receivers.ts'
import type { RecognizedApp } from './domain/recognized-app.ts'
import type {
  AuditEntry,
  AuditKind,
  BranchDatabase,
  Domain,
  Environment,
  EnvironmentState,
  Launch,
  Node,
  Project,
  QueueEntry,
  Role,
  ScheduleRun,
  Sealed,
  Secret,
  SecretScope,
  Token,
  TrashEntry,
} from './domain/records.ts'
import type { Traffic } from './domain/traffic.ts'
import type { Redacted } from './ports/redacted.ts'

/** The database. Each method is one statement or one transaction and returns plain data. */
export interface Store {
  readonly projects: ProjectStore
  readonly environments: EnvironmentStore
  readonly queue: QueueStore
  readonly audit: AuditStore
  readonly secrets: SecretStore
  readonly tokens: TokenStore
  readonly nodes: NodeStore
  readonly deliveries: DeliveryStore
  readonly projectUsers: ProjectUserStore
  readonly trash: TrashStore
  readonly scheduleRuns: ScheduleRunStore
  readonly branchDatabases: BranchDatabaseStore
  readonly domains: DomainStore
  readonly acmeAccounts: AcmeAccountStore
  readonly receivers: ReceiverStore
  readonly outgoing: OutgoingStore
  /** Commits all writes of `work`, or none if it throws. `work` must use only its own store and await nothing else. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ProjectStore {
  find(id: number): Promise<Project | undefined>
  /**
   * Finds the project of a source, which makes registration idempotent: by `repoDir`, or by `repoUrl` in any spelling,
   * the exact spelling first.
   */
  findBySource(
    source: Pick<Project, 'repoDir' | 'repoUrl' | 'context' | 'remoteKey'>,
  ): Promise<Project | undefined>
  list(ids?: readonly number[] | null): Promise<Project[]>
  /** Returns true if more than one project is registered. */
  hasSeveral(): Promise<boolean>
  /** Returns true if any project has a webhook secret of its own. */
  haveWebhookSecret(): Promise<boolean>
  listByRemote(remoteKey: string): Promise<Project[]>
  create(draft: Omit<Project, 'id'>): Promise<Project>
  update(id: number, changes: Partial<Omit<Project, 'id'>>): Promise<Project | undefined>
  /**
   * Removes a project with its environments, queue entries, host names and secrets (cascade); audit records stay.
   * Returns false if absent.
   */
  remove(id: number): Promise<boolean>
}

export interface EnvironmentStore {
  find(id: number): Promise<Environment | undefined>
  /** Lists a project's environments of all states by id, oldest first. */
  list(projectId: number, branch?: string): Promise<Environment[]>
  /** Finds the newest running, paused or hibernating environment of a branch. */
  findLive(projectId: number, branch: string): Promise<Environment | undefined>
  findLiveByHostname(hostname: string): Promise<Environment | undefined>
  /** Lists the live environment of each branch, by id. */
  listLive(filter?: { nodeId?: number; projectId?: number }): Promise<Environment[]>
  listByState(states: readonly EnvironmentState[]): Promise<Environment[]>
  /** Lists a branch's environments that have ever run, newest first: the candidates of a rollback. */
  listSuccessful(projectId: number, branch: string): Promise<Environment[]>
  create(draft: Omit<Environment, 'id'>): Promise<Environment>
  /**
   * Changes an environment and sets `updatedAt` to `at`. Writes nothing and returns undefined if its state is not in
   * `ifState`.
   */
  update(
    id: number,
    changes: Partial<Omit<Environment, 'id'>>,
    options: { at: number; ifState?: readonly EnvironmentState[] },
  ): Promise<Environment | undefined>
  /** Writes last access times by environment id, in one transaction. */
  touch(accesses: ReadonlyMap<number, number>): Promise<void>
  /** Counts environments by state. */
  count(): Promise<Record<EnvironmentState, number>>
  /** Claims a host name for a branch, or returns the branch that owns the name. Idempotent for the owner. */
  claimHostname(
    hostname: string,
    projectId: number,
    branch: string,
  ): Promise<{ claimed: true } | { claimed: false; projectId: number; branch: string }>
  releaseHostname(projectId: number, branch: string): Promise<void>
  /** Returns a cache version, which grows with each change of a live environment's host name, state, port or node. */
  version(): number
}

export interface QueueStore {
  find(id: number): Promise<QueueEntry | undefined>
  /** Lists waiting and running queue entries, oldest first. `null` means all projects. */
  list(projectIds?: readonly number[] | null): Promise<QueueEntry[]>
  /** Counts the waiting queue entries of a project, without the entry of `exceptBranch`. */
  countWaiting(projectId: number, exceptBranch: string): Promise<number>
  /** Adds a queue entry, or replaces the content of the branch's waiting entry, which keeps its id and position. */
  put(
    draft: Pick<
      QueueEntry,
      'projectId' | 'branch' | 'commitSha' | 'operator' | 'requestId' | 'requestedAt'
    >,
  ): Promise<QueueEntry>
  /**
   * Leases a waiting queue entry and marks it running. Returns undefined if it is not waiting or its branch has a
   * running entry.
   */
  claim(id: number, lease: { owner: string; until: number }): Promise<QueueEntry | undefined>
  /** Extends a lease. Returns false if another daemon has taken the lease. */
  renew(id: number, lease: { owner: string; until: number }): Promise<boolean>
  /** Changes a queue entry if `owner` holds its lease. Returns false if another daemon has taken the lease. */
  update(
    id: number,
    owner: string,
    changes: Partial<Pick<QueueEntry, 'environmentId' | 'lastError' | 'attempts'>>,
  ): Promise<boolean>
  /**
   * Requeues a running queue entry at its old position. Removes it instead if a newer entry of the branch is waiting.
   */
  release(
    id: number,
    owner: string,
    changes: { notBefore: number; attempts: number; lastError: string | null },
  ): Promise<void>
  /** Requeues entries with an expired lease. Returns the requeued entries. */
  releaseExpired(now: number): Promise<QueueEntry[]>
  remove(id: number): Promise<boolean>
}

export interface AuditFilter {
  readonly environmentId?: number
  readonly projectId?: number
  /** Restricts the audit records to the projects of a scoped credential. */
  readonly projectIds?: readonly number[]
  readonly branch?: string
  readonly kind?: AuditKind
  readonly since?: number
  readonly until?: number
  readonly limit: number
}

export interface AuditStore {
  write(entry: Omit<AuditEntry, 'id'>): Promise<void>
  /** Lists audit records, newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]>
}

export interface SecretStore {
  set(secret: Secret, at: number): Promise<void>
  remove(name: string, scope: SecretScope): Promise<boolean>
  /** Lists the secret names of one scope, sorted. */
  list(scope: SecretScope): Promise<{ name: string; scope: SecretScope }[]>
  /** Lists the secrets of one scope, sorted by name. */
  listWithValues(scope: SecretScope): Promise<Secret[]>
  /** Lists the secrets of a branch in ascending precedence: global, project, branch. */
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
  /** Inserts a node, or updates the node of the same name. */
  put(draft: Omit<Node, 'id'>): Promise<Node>
  update(id: number, changes: Partial<Omit<Node, 'id'>>): Promise<Node | undefined>
  /** Removes a node. Returns `in-use` if any environment refers to the node. */
  remove(id: number): Promise<'removed' | 'in-use' | 'absent'>
}

/** Ids of received webhook deliveries, kept for days, so that handling a redelivery is a no-op. */
export interface DeliveryStore {
  /** Records a delivery id. Returns false for a duplicate. */
  remember(host: string, id: string, at: number): Promise<boolean>
  forgetBefore(time: number): Promise<void>
}

/** System users of projects. A user stays reserved after its project until nothing of the project is left. */
export interface ProjectUserStore {
  list(): Promise<{ projectId: number; uid: number }[]>
  /** Gives a project a user instead of its previous one, if any. */
  set(projectId: number, uid: number): Promise<void>
  remove(projectId: number): Promise<void>
}

/** Data of destroyed branches. Its rows outlive their projects. */
export interface TrashStore {
  find(id: number): Promise<TrashEntry | undefined>
  /** Lists entries, newest first. A project's user id must stay reserved while the project has entries. */
  list(filter?: {
    readonly projectId?: number
    readonly branch?: string
    readonly state?: TrashEntry['state']
  }): Promise<TrashEntry[]>
  /** Lists entries whose data is still being moved or removed. */
  listUnfinished(): Promise<TrashEntry[]>
  listExpired(now: number): Promise<TrashEntry[]>
  create(draft: Omit<TrashEntry, 'id'>): Promise<TrashEntry>
  /** Inserts an entry that the database does not know, such as after a restore. */
  add(entry: TrashEntry): Promise<void>
  update(id: number, changes: Partial<Omit<TrashEntry, 'id'>>): Promise<void>
  remove(id: number): Promise<void>
  /** Counts the kept entries and their bytes on disk. */
  usage(): Promise<{ entries: number; bytes: number }>
}

/** Databases that the daemon made for branches. Its rows outlive their projects. */
export interface BranchDatabaseStore {
  /** Lists databases by id. `trashId: null` selects the databases of branches. */
  list(filter?: {
    readonly projectId?: number
    readonly branch?: string
    readonly trashId?: number | null
  }): Promise<BranchDatabase[]>
  /** Throws if the branch has a database of this kind. */
  create(draft: Omit<BranchDatabase, 'id'>): Promise<BranchDatabase>
  update(id: number, changes: Partial<Omit<BranchDatabase, 'id'>>): Promise<void>
  remove(id: number): Promise<void>
}

/** Own domains of projects. Removing a project removes its domains. */
export interface DomainStore {
  find(domain: string): Promise<Domain | undefined>
  /** Lists domains by name; null: of all projects. */
  list(projectId: number | null): Promise<Domain[]>
  /** Lists the names that lead to a branch, which may be the default branch. */
  listNames(projectId: number, branch: string): Promise<string[]>
  /**
   * Lists the domains whose certificate is missing or past two thirds of its life, and that may be tried now. The domains
   * with the fewest failures come first.
   */
  listDue(now: number): Promise<Domain[]>
  /** Adds a domain, or returns the existing record of this name, which may belong to another project. */
  add(draft: Pick<Domain, 'projectId' | 'domain' | 'branch' | 'createdAt'>): Promise<Domain>
  /** Returns undefined if the domain was removed meanwhile. */
  update(
    id: number,
    changes: Partial<Pick<Domain, 'branch' | 'certificate' | 'fault' | 'failures' | 'tryAfter'>>,
  ): Promise<Domain | undefined>
  /** Returns false if absent. */
  remove(id: number): Promise<boolean>
  /** Returns a cache version, which grows with each added, changed or removed domain. */
  version(): number
}

/** Keys of the daemon's accounts at certificate authorities, by the URL of the directory. */
export interface AcmeAccountStore {
  find(directory: string): Promise<Sealed | undefined>
  set(directory: string, key: Sealed): Promise<void>
}

/** Receivers of statuses and notifications. Removing a project removes its receivers. */
export interface ReceiverStore {
  find(id: number): Promise<Receiver | undefined>
  /** Lists the receivers of a project, or of the server (null), by id. */
  list(projectId: number | null): Promise<Receiver[]>
  /** Lists the receivers that hear of a project's events: its own and those of the server. */
  listFor(projectId: number | null): Promise<Receiver[]>
  /** Adds a receiver. A git host replaces the project's previous one. */
  create(draft: Omit<Receiver, 'id'>): Promise<Receiver>
  update(id: number, changes: Partial<Pick<Receiver, 'deliveredAt' | 'fault'>>): Promise<void>
  /** Removes a receiver with its waiting messages. Returns false if absent. */
  remove(id: number): Promise<boolean>
}

/** Messages that wait for their delivery. */
export interface OutgoingStore {
  /**
   * Adds a message, and removes the waiting message of the same subject. Returns the oldest messages of the receiver that
   * were dropped because too many wait.
   */
  add(
    draft: Pick<OutgoingMessage, 'receiverId' | 'messageId' | 'body' | 'subject' | 'createdAt'>,
  ): Promise<readonly OutgoingMessage[]>
  /** Lists the next message of each receiver, the earliest first. */
  listHeads(): Promise<OutgoingMessage[]>
  count(receiverId: number): Promise<number>
  postpone(id: number, next: Pick<OutgoingMessage, 'attempts' | 'notBefore'>): Promise<void>
  /** Returns false if a newer message has replaced the message. */
  remove(id: number): Promise<boolean>
  clear(): Promise<void>
  /** Adds a listener for committed messages, for the life of the database. It must not throw. */
  onAdd(listener: () => void): void
}

/** A POST request with a body of JSON. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string | Redacted>>
  readonly body: string
}

/** Sends requests to receivers. */
export interface Sender {
  /**
   * Sends a POST request and returns the answer, whose body is bounded. Follows no redirect. Throws `transient` with the
   * reason if no answer arrives in time, and for an address that the operator has not allowed.
   */
  post(
    request: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string; readonly retryAfterMs: number }>
  /** Returns the reason why a URL is refused before any request; undefined for an allowed URL. */
  urlFault(url: string): string | undefined
}

/** Runs of schedules, the newest of each. */
export interface ScheduleRunStore {
  /** Lists the runs of a branch, newest first. */
  list(filter: { projectId: number; branch: string; name?: string }): Promise<ScheduleRun[]>
  listRunning(): Promise<ScheduleRun[]>
  /** Inserts a run and forgets older ones. Returns undefined if the schedule has a run of this time. */
  create(draft: Omit<ScheduleRun, 'id'>): Promise<ScheduleRun | undefined>
  /** Ends a run. No-op if it has ended. */
  end(
    id: number,
    end: Pick<ScheduleRun, 'outcome' | 'endedAt' | 'exitCode' | 'detail'>,
  ): Promise<void>
}

/** Encrypts and decrypts stored secrets. Synchronous: AES-256-GCM on short texts. */
export interface Vault {
  seal(value: Redacted): Sealed
  /** Throws `internal` if the value was sealed with an unknown key. */
  open(value: Sealed): Redacted
}

export type { Redacted } from './ports/redacted.ts'

export interface Git {
  /**
   * Fetches into the project's mirror. Calls made before a fetch starts share that fetch. Throws `transient` on network
   * faults.
   */
  fetch(project: GitSource, signal: AbortSignal): Promise<void>
  /** Returns the commit of a branch as of the last fetch; undefined if the branch does not exist. */
  head(project: GitSource, branch: string): Promise<string | undefined>
  /** Returns the commits by branch, as of the last fetch. */
  branches(project: GitSource): Promise<ReadonlyMap<string, string>>
  /**
   * Returns the commits by branch as the remote has them now, without fetching. Throws `transient` or `unprocessable` if the
   * remote does not answer.
   */
  remoteBranches(project: GitSource, signal: AbortSignal): Promise<ReadonlyMap<string, string>>
  /** Returns the default branch as last fetched; undefined before a fetch, or if HEAD names no branch. */
  defaultBranch(project: GitSource): Promise<DefaultBranch | undefined>
  /** Returns true if the mirror contains a commit. */
  has(project: GitSource, commitSha: string): Promise<boolean>
  /**
   * Writes the files of a commit's `context` into `folder`, without `.git`. `folder` is an absolute path that must not
   * exist. Throws `unprocessable` if a symlink leads out of the folder.
   */
  checkout(
    project: GitSource,
    commitSha: string,
    folder: string,
    signal: AbortSignal,
  ): Promise<void>
  /** Deletes the mirror. */
  remove(project: GitSource): Promise<void>
}

export interface DefaultBranch {
  readonly name: string
  /** True for the HEAD of a working tree, which moves with each checkout. */
  readonly isCheckout: boolean
}

/**
 * A project's repository. git receives `token` through the environment of a helper program, never through argv or a
 * URL.
 */
export interface GitSource {
  readonly repoDir: string | null
  readonly repoUrl: string | null
  readonly context: string
  readonly token: Redacted | null
}

/** A ref of a push. An object id of zeros stands for an absent ref. */
export interface PushedRef {
  readonly ref: string
  readonly oldId: string
  readonly newId: string
}

/** The branches of a hosted repository. */
export interface HostedBranches {
  /** The branch that HEAD names. It may not exist yet. */
  readonly defaultBranch: string
  readonly heads: ReadonlyMap<string, string>
  /** Commits whose deploy has not ended, by branch. */
  readonly pending: ReadonlyMap<string, string>
  /** The commit of a pending branch before its push. A branch that the push created has none. */
  readonly before: ReadonlyMap<string, string>
}

/** A change of one branch. `null` removes a ref; undefined keeps it. */
export interface BranchChange {
  readonly branch: string
  /** The change fails unless the branch is at `expected`; `null`: unless it is absent. */
  readonly expected: string | null
  readonly head?: string | null
  readonly pending?: string | null
  readonly before?: string | null
}

/** The repositories that the daemon hosts, one for each project, by project id. */
export interface Repositories {
  /** Returns the absolute path of a project's repository. */
  path(projectId: number): string
  /** Creates a missing repository, and repairs its settings. Idempotent. */
  ensure(projectId: number): Promise<void>
  read(projectId: number): Promise<HostedBranches>
  /** Applies all changes or none, durably. Throws `conflict` if a branch is not where a change expects it. */
  update(projectId: number, changes: readonly BranchChange[]): Promise<void>
  setDefaultBranch(projectId: number, branch: string): Promise<void>
  /** Removes a repository without branches. Throws `conflict` if it has branches. */
  discardEmpty(projectId: number): Promise<void>
  /** Packs the objects after many pushes. Objects that no branch needs are removed after a month. */
  maintain(projectId: number): Promise<void>
  /**
   * Copies all repositories into `folder`, as `<project id>/repository`, each as of one instant. Returns the
   * repositories that can't be copied, with the reasons.
   */
  snapshot(folder: string): Promise<readonly { path: string; reason: string }[]>
}

/** The refs of a push, as git sent them. */
export interface GitPush {
  readonly refs: readonly PushedRef[]
  /** True: all refs change, or none. */
  readonly isAtomic: boolean
}

/** The answer for one ref of a push. `refusal` is the reason to refuse it. */
export interface RefAnswer {
  readonly ref: string
  readonly refusal?: string
}

/** One request of git's smart HTTP protocol. */
export interface GitExchange {
  readonly projectId: number
  readonly service: 'git-upload-pack' | 'git-receive-pack'
  /** `refs` lists the refs; `pack` transfers objects. */
  readonly step: 'refs' | 'pack'
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /**
   * Answers the refs of a push, whose objects are stored. `say` sends a line to the pusher; a slow pusher loses lines.
   * Continues if the pusher disconnects, which aborts `gone`.
   */
  readonly receive?: (
    push: GitPush,
    pusher: { say(line: string): void; readonly gone: AbortSignal },
  ) => Promise<readonly RefAnswer[]>
}

/** Serves hosted repositories to git clients. */
export interface GitService {
  /** Sends the response. Resolves when it is sent, or the client has disconnected. */
  serve(exchange: GitExchange): Promise<void>
}

export interface Builder {
  /** Reads a checkout's `strata.json` and adds defaults. Throws `unprocessable` with the fault in the file. */
  plan(checkout: string): Promise<BuildPlan>
  /**
   * Gives the checkout to the project's user. As this user, installs packages (cached by lock file hash), builds, and
   * removes development packages. Ends everything it started. Throws `unprocessable` with the reason.
   */
  build(
    checkout: string,
    plan: BuildPlan,
    options: {
      projectId: number
      /** Node that will run the app; absent: the daemon's own host. */
      nodeId?: number
      env: Readonly<Record<string, string>>
      output: OutputSink
      signal: AbortSignal
    },
  ): Promise<void>
  /** Removes what a build keeps outside of the folder of its release, such as an image. Call it before the folder goes. */
  discard(folder: string): Promise<void>
  /** Deletes caches beyond the size limits, except caches in use. */
  prune(): Promise<void>
  /** Deletes the caches of a removed project. */
  removeProject(projectId: number): Promise<void>
}

export interface BuildPlan {
  readonly app: RecognizedApp
  readonly install: readonly string[] | null
  readonly build: readonly string[] | null
  readonly launch: Launch
}

export type OutputSink = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void

export type {
  DatabaseAccess,
  DatabaseServer,
  DatabaseServers,
  TransferOptions,
} from './ports/database-server.ts'
export type { BranchData, Fleet, NodeCapacity, NodeDraft } from './ports/fleet.ts'
export type { OneOffEnd, OneOffIo, OneOffs } from './ports/one-offs.ts'
export type { AppSpec, Instance, InstanceExit, Runtime } from './ports/runtime.ts'

/** Measures the running apps of a runtime. */
export interface UsageProbe {
  /** Returns the present use by environment id, without apps that ended meanwhile. */
  read(): Promise<ReadonlyMap<number, AppUsage>>
}

export interface AppUsage {
  readonly memoryBytes: number
  /** Processor time of the app's processes since its start. It may shrink when a process ends. */
  readonly cpuMs: number
}

export interface LogLine {
  /** Id of the line: a byte offset in the environment's log, which grows and is never reused. */
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
}

/** Output of builds and apps, with a size limit on disk for each environment. */
export interface Logs {
  /** Returns a sink that splits output into timestamped lines. */
  sink(key: LogKey, stream: LogLine['stream']): { write: OutputSink; end(): Promise<void> }
  /** Returns the last lines, oldest first. */
  tail(key: LogKey, lines: number): Promise<LogLine[]>
  /**
   * Yields lines after `afterId` (null: the last `newest`, by default 50), then new lines, until `signal` or `end`.
   * Throws for a slow reader.
   */
  follow(
    key: LogKey,
    afterId: number | null,
    signal: AbortSignal,
    newest?: number,
  ): AsyncIterable<LogLine>
  /** Ends all `follow` streams of a log. */
  end(key: LogKey): void
  /** Removes the logs of all processes of an environment. */
  remove(environmentId: number): Promise<void>
}

/** The gateway process, which forwards requests to apps. */
export interface Gateway {
  /** Sets the route of one host. Resolves when the gateway uses it, or at once if no gateway runs. */
  route(route: Route): Promise<void>
  unroute(hostname: string): Promise<void>
  /** Replaces all routes. */
  replace(routes: readonly Route[]): Promise<void>
  /** Resolves when no request to the endpoint is open, or after `timeoutMs`. */
  drained(endpoint: Endpoint, timeoutMs: number): Promise<void>
  /** The listener receives the last access time by environment id, for requests since its previous call. */
  onAccess(listener: (accesses: ReadonlyMap<number, number>) => void): void
  /** The listener receives the requests by environment id, since its previous call. */
  onTraffic(listener: (traffic: ReadonlyMap<number, Traffic>) => void): void
  /**
   * Sets the listener that wakes an environment for a held request. It resolves with the route, or rejects with an
   * explanation.
   */
  onWake(listener: (environmentId: number) => Promise<Route>): void
  /** Answers a validation until `removeChallenge`. Resolves when the gateway uses it, or at once if none runs. */
  setChallenge(challenge: Challenge): Promise<void>
  /** Removes all challenges of a host. */
  removeChallenge(hostname: string): Promise<void>
  /** Uses a certificate for all new connections to its host. Open connections continue. */
  setCertificate(certificate: ServedCertificate): Promise<void>
  removeCertificate(hostname: string): Promise<void>
  /** Replaces all certificates. */
  replaceCertificates(all: readonly ServedCertificate[]): Promise<void>
}

/** Checks that a domain leads to this server. */
export interface DomainProof {
  /** Returns undefined if the domain leads to this server, otherwise one clause that explains the fault. */
  faultOf(domain: string, signal: AbortSignal): Promise<string | undefined>
}

/** A certificate authority. */
export interface CertificateAuthority {
  /**
   * Gets a certificate for a domain, and sets and removes the challenges at the gateway. Throws CertificateError, also
   * if the authority does not answer in time.
   */
  obtain(domain: string, signal: AbortSignal): Promise<IssuedCertificate>
}

export interface IssuedCertificate {
  /** PEM, leaf first. */
  readonly chain: string
  readonly key: Redacted
  readonly notBefore: number
  readonly notAfter: number
}

/** A certificate of a folder that the operator maintains. */
export interface FileCertificate {
  /** Host names, also with `*.`. */
  readonly hostnames: readonly string[]
  readonly cert: string
  readonly key: Redacted
  readonly notAfter: number
}

export interface CertificateFiles {
  /** Reads files that have changed. Returns true if the certificates have changed. Keeps the last valid pair of a name. */
  refresh(): Promise<boolean>
  list(): readonly FileCertificate[]
}

/** A proof of control over a host name. */
export type Challenge =
  /** Answer to `GET path` of the host on the plain port. */
  | {
      readonly kind: 'http'
      readonly hostname: string
      readonly path: string
      readonly body: string
    }
  /** Certificate for connections that offer only the protocol `acme-tls/1` (RFC 8737). */
  | {
      readonly kind: 'tls'
      readonly hostname: string
      readonly cert: string
      readonly key: string
    }

/** A certificate in the gateway, in PEM form. The private key is plain: do not log it. */
export interface ServedCertificate {
  /** A host name, or `*.` and a domain. */
  readonly hostname: string
  readonly cert: string
  readonly key: string
}

/** `port` is null if the app sleeps or is down: the gateway then holds requests and requests a wake. */
export interface Route {
  readonly hostname: string
  readonly environmentId: number
  readonly projectId: number
  /** Address of the app's node; absent for this host. */
  readonly host?: string
  readonly port: number | null
  /** A held request fails with 503 after this time. */
  readonly wakeBudgetMs: number
}

export interface Clock {
  /** Returns the time in milliseconds since 1970 (UTC). */
  now(): number
  /** Milliseconds since an arbitrary start. Never jumps, and stands still while the machine is suspended. */
  monotonic(): number
  /** Resolves after `ms`. Rejects with the signal's reason if the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** Folders that apps write to. Methods never follow symbolic links below `path`, also if an app changes the tree. */
export interface AppTrees {
  /** Removes a file or a folder with its content. No-op if it is absent. */
  remove(path: string): Promise<void>
  /** Returns the bytes on disk; undefined if they can't be read within seconds. */
  sizeOf(path: string): Promise<number | undefined>
}

/** Probes the daemon's own host. Methods never throw and answer within seconds. */
export interface HostProbe {
  /** Returns the output of `git --version`; undefined if git can't be run. */
  gitVersion(): Promise<string | undefined>
  /** Returns true if a port of 127.0.0.1 answers with any HTTP response. */
  isServing(port: number): Promise<boolean>
  /** Returns true if the daemon may list, write and enter a folder. */
  isWritable(folder: string): Promise<boolean>
  /** Returns the space of the file system that contains a folder; undefined if unknown. */
  diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number } | undefined>
}

/** State of the engine that runs the apps. */
export interface EngineCheck {
  readonly ok: boolean
  readonly detail: string
  /** Advice to the operator. */
  readonly next?: string
}

/** One kind of separation between the projects of this host. */
export interface Wall {
  readonly name: string
  readonly stands: boolean
  /** One sentence: the separation, or the reason for its absence. */
  readonly detail: string
  /** Advice to the operator if the wall does not stand. */
  readonly next?: string
}

/** Limits of all processes of one group together. */
export interface GroupLimits {
  readonly memoryMb: number
  /** Number of CPU cores, with fractions; null: unlimited. */
  readonly cpus: number | null
  /** Share of a busy processor: 100 is the share of an app. */
  readonly cpuWeight?: number
  readonly pids: number
}

/** Use of all processes of a group together. A field is null if the kernel does not count it for this group. */
export interface GroupUsage {
  /** Without caches that the kernel can drop. */
  readonly memoryBytes: number | null
  /** Processor time since the group began. */
  readonly cpuMs: number | null
}

export interface GroupEnd {
  /** The memory limit in MiB if the kernel ended a process of the group for it; otherwise null. */
  readonly outOfMemoryMb: number | null
}

/** Separates projects from each other and from the daemon, and ends all processes of a group. */
export interface Walls {
  status(): readonly Wall[]
  /** Returns true for the user of a project of any daemon on this host. */
  isProjectUser(uid: number): boolean
  /** Returns the cell of a project; the first call gives the project a system user. */
  cell(projectId: number): Promise<Cell>
  /** Ends all processes of a deleted project, and removes its home and temporary folders. */
  remove(projectId: number): Promise<void>
  /** Lists the groups of this data folder, also those of a previous daemon. */
  groups(): readonly string[]
  /** Returns the live processes of a group. Returns undefined if this host has no process groups of this kind. */
  members(group: string): readonly number[] | undefined
  /** Returns undefined if this host has no process groups of this kind, or no group of this name. */
  usage(group: string): GroupUsage | undefined
  /** Kills every process of a group, also detached ones, and removes the group. Throws `internal` if one survives. */
  end(group: string): Promise<GroupEnd>
  /** Releases the namespaces. Processes in them continue to run. */
  close(): void
}

/** The place where the programs of one project run. */
export interface Cell {
  /** The project's system user; null without walls between users. */
  readonly user: { readonly uid: number; readonly gid: number } | null
  /** Private home folder; null without walls between users. */
  readonly home: string | null
  /** Gives a folder with all its files to the project's user, for nobody else. No-op if the user has the folder. */
  own(folder: string): Promise<void>
  /**
   * Starts a program as the project's user, inside its namespaces and inside the group before the first instruction.
   * Resolves when the process exists; rejects like `spawn` if the program is missing or not executable.
   */
  spawn(program: string, args: readonly string[], options: CellSpawn): Promise<ChildProcess>
  /** See `Walls.end`. */
  end(group: string): Promise<GroupEnd>
}

export interface CellSpawn {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdio: StdioOptions
  /** Name of the control group: letters, digits, `-`, `_`. */
  readonly group: string
  readonly limits: GroupLimits
  /** True: a death of the daemon ends the program, if users are separated. Its children may survive until the next start. */
  readonly endsWithDaemon?: true
}

/** The methods of a pino logger that the daemon uses. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The credential of a request: no authentication configured, the master token, or a named token. */
export type Principal =
  | { readonly kind: 'open' }
  | { readonly kind: 'master' }
  | {
      readonly kind: 'token'
      readonly id: number
      readonly name: string
      readonly role: Role
      /** Ids of the accessible projects; `null`: all projects. */
      readonly projects: readonly number[] | null
      readonly expiresAt: number | null
    }

/** The store, plus methods for key rotation and backups. */
export interface Database extends Store {
  readonly sealed: SealedValues
  transaction<T>(work: (database: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Copies the committed state into a new file, without blocking writers. */
  snapshot(file: string): Promise<void>
  /**
   * Adds a listener for committed changes, in the order of the commits. It is called before the promise of the write
   * resolves, never for a transaction that was rolled back, and must not throw.
   */
  onChange(listener: (change: Change) => void): void
}

export interface TransactionOptions {
  /** Runs `work` in a transaction. Once the promise resolves, the commit survives a power failure. */
  readonly durable?: boolean
  /** Called synchronously after the commit, before any other write. */
  readonly committed?: () => void
}

/** Access to all encrypted values of the database. */
export interface SealedValues {
  /** Returns the id of the key that encrypts all values; undefined in a new database. */
  keyId(): Promise<string | undefined>
  /** Records the key's id, in the transaction that re-encrypts all values with that key. */
  recordKeyId(keyId: string): Promise<void>
  count(): Promise<number>
  /** Replaces each value by the result of `reseal`. Returns the number of values. */
  replace(reseal: (value: Sealed) => Sealed): Promise<number>
  /** Passes each value written from now on through `refresh`, inside the writing transaction. */
  onWrite(refresh: (value: Sealed) => Sealed): void
}

/** The vault, plus methods for key rotation and backups. */
export interface KeyVault extends Vault {
  /** Returns the id of the current key. */
  keyId(): string
  /** Origin of the key. `environment`: the operator provides the key, and the daemon can't rotate it. */
  readonly keptIn: 'file' | 'environment'
  /** Returns the current or a previous key as 64 hex digits; undefined if this process does not have the key. */
  key(keyId: string): Redacted | undefined
  /** Writes a new key durably beside the current key. Throws `conflict` if the operator provides the key. */
  prepareNext(): Promise<NextKey>
}

export interface NextKey {
  readonly keyId: string
  reseal(value: Sealed): Sealed
  /** Encrypts new values with this key from now on. Synchronous, for the call at commit. */
  use(): void
  /** Replaces the previous key file durably. */
  keep(): Promise<void>
}

export interface Archive {
  readonly fileName: string
  readonly body: NodeJS.ReadableStream
  /** Returns the number of entries that are missing in the backup. Final when `body` has ended. */
  readonly skipped: () => number
}

/** State of the scheduled backups. */
export interface BackupHealth {
  /** Time of the newest backup; null if there is none. */
  readonly newestAt: number | null
  /** Number of entries that are missing in the newest backup of this daemon. */
  readonly skipped: number
  /** Fault of the last try; null if it succeeded. */
  readonly fault: string | null
}

/** Backups of the daemon's state and the data of apps. The next start applies a staged backup. */
export interface Archives {
  /**
   * Streams a tar of database snapshot, key and manifest, and the data of apps if `withData`. Removes its temporary files
   * when `body` ends or fails. Throws `unavailable` if the disk is too small.
   */
  create(options: { withData: boolean }): Promise<Archive>
  /**
   * Validates a tar and stages it for the next start. `announcedBytes` is the size that the sender announces; 0 if
   * unknown. Throws `too-large`, `unavailable` if the disk is too small, or `unprocessable` with the fault.
   */
  stage(
    body: NodeJS.ReadableStream,
    announcedBytes: number,
  ): Promise<{ createdAt: number; hasData: boolean }>
}
