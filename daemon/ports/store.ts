import type { OutgoingMessage, Receiver } from '../domain/receivers.ts'
import type {
  AuditEntry,
  AuditKind,
  BranchDatabase,
  Domain,
  Environment,
  EnvironmentState,
  Node,
  Project,
  QueueEntry,
  ScheduleRun,
  Sealed,
  Secret,
  SecretScope,
  Token,
  TrashEntry,
} from '../domain/records.ts'

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
