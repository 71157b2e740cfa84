import type { Generated } from 'kysely'
import type { Receiver } from '../domain/receivers.ts'
import type {
  AuditKind,
  BranchDatabase,
  EnvironmentState,
  NodeState,
  QueueState,
  Role,
  ScheduleRun,
  Sealed,
  TrashEntry,
} from '../domain/records.ts'

/** The tables of the newest migration. Times are in milliseconds since 1970; `…_json` columns hold JSON. */
export interface Schema {
  projects: ProjectTable
  environments: EnvironmentTable
  hostnames: HostnameTable
  queue: QueueTable
  audit: AuditTable
  secrets: SecretTable
  tokens: TokenTable
  nodes: NodeTable
  deliveries: DeliveryTable
  project_users: ProjectUserTable
  trash: TrashTable
  schedule_runs: ScheduleRunTable
  branch_databases: BranchDatabaseTable
  domains: DomainTable
  acme_accounts: AcmeAccountTable
  receivers: ReceiverTable
  outgoing: OutgoingTable
  meta: MetaTable
}

/** Columns to update. Undefined columns keep their value. */
export type Changes<Table> = {
  [Column in keyof Table as Column extends 'id' ? never : Column]?:
    | (Table[Column] extends Generated<infer Value> ? Value : Table[Column])
    | undefined
}

export interface ProjectTable {
  id: Generated<number>
  repo_dir: string | null
  repo_url: string | null
  context: string
  remote_key: string | null
  /** `remote_key` if the project has a `repo_url` and is the oldest of its remote and context; unique with `context`. */
  source_key: string | null
  name: string
  pause_after: string
  /** `never`, or a duration. */
  destroy_after: string
  branches_json: string
  ignore_json: string
  max_environments: number | null
  git_token: Sealed | null
  created_at: number
  default_branch: string | null
  webhook_secret: Sealed | null
  /** Time of the first push that a webhook reported. */
  webhook_at: number | null
}

export interface EnvironmentTable {
  id: Generated<number>
  project_id: number
  branch: string
  commit_sha: string
  state: EnvironmentState
  hostname: string
  reason: string | null
  operator: string
  host_port: number | null
  host_address: string | null
  container_name: string | null
  node_id: number
  memory_mb: number
  release: string | null
  launch_json: string | null
  process_faults: Generated<string | null>
  /** 1 if the environment has ever run. Rollbacks choose among such environments. */
  has_run: Generated<number>
  created_at: number
  updated_at: number
  last_accessed_at: number
}

export interface HostnameTable {
  hostname: string
  project_id: number
  branch: string
}

export interface QueueTable {
  id: Generated<number>
  project_id: number
  branch: string
  commit_sha: string | null
  operator: string
  request_id: string
  requested_at: number
  attempts: number
  state: QueueState
  not_before: number
  lease_owner: string | null
  lease_until: number | null
  environment_id: number | null
  last_error: string | null
}

export interface AuditTable {
  id: Generated<number>
  environment_id: number | null
  project_id: number | null
  branch: string | null
  kind: AuditKind
  detail: string
  occurred_at: number
  operator: string
  request_id: string | null
}

export interface SecretTable {
  id: Generated<number>
  name: string
  /** Both columns are null for a global secret; only `branch` is null for a secret of a project. */
  project_id: number | null
  branch: string | null
  value: Sealed
  /** 1 if the API returns the value. */
  is_readable: Generated<number>
  updated_at: number
}

export interface TokenTable {
  id: Generated<number>
  name: string
  hash: string
  projects_json: string | null
  role: Role
  expires_at: number | null
  revoked_at: number | null
  created_at: number
}

export interface NodeTable {
  id: Generated<number>
  name: string
  endpoint: string
  address: string | null
  tls_ca: string | null
  tls_cert: string | null
  tls_key: Sealed | null
  reserved_memory_mb: number
  state: NodeState
  state_before_down: Exclude<NodeState, 'down'>
  reason: string | null
  created_at: number
}

export interface DeliveryTable {
  host: string
  id: string
  seen_at: number
}

/** Each project's system user. Rows outlive their project. */
export interface ProjectUserTable {
  project_id: number
  uid: number
}

/** `project_id` refers to no row once the project is deleted. */
export interface TrashTable {
  id: Generated<number>
  project_id: number
  project: string
  source: string
  branch: string
  volume: string
  state: TrashEntry['state']
  size_bytes: number | null
  trashed_at: number
  expires_at: number
  operator: string
  reason: TrashEntry['reason']
}

/** `project_id` refers to no row once the project is deleted. */
export interface BranchDatabaseTable {
  id: Generated<number>
  project_id: number
  branch: string
  kind: BranchDatabase['kind']
  name: string
  password: Sealed
  state: BranchDatabase['state']
  trash_id: number | null
  created_at: number
}

export interface MetaTable {
  key: 'key_id'
  value: string
}

export interface DomainTable {
  id: Generated<number>
  project_id: number
  domain: string
  /** `null`: the default branch. */
  branch: string | null
  created_at: number
  /** PEM, leaf first. Null together with the key and both times. */
  certificate: string | null
  certificate_key: Sealed | null
  not_before: number | null
  not_after: number | null
  fault: string | null
  failures: Generated<number>
  try_after: Generated<number>
}

export interface AcmeAccountTable {
  id: Generated<number>
  /** URL of the directory. */
  directory: string
  account_key: Sealed
}

export interface ScheduleRunTable {
  id: Generated<number>
  project_id: number
  branch: string
  name: string
  environment_id: number
  due_at: number
  started_at: number | null
  ended_at: number | null
  outcome: ScheduleRun['outcome']
  exit_code: number | null
  detail: string | null
}

export interface ReceiverTable {
  id: Generated<number>
  /** `null`: a receiver of the server. */
  project_id: number | null
  kind: Receiver['kind']
  url: string
  repository: string | null
  secret: Sealed
  events_json: string
  created_at: number
  delivered_at: number | null
  fault: string | null
}

export interface OutgoingTable {
  id: Generated<number>
  receiver_id: number
  message_id: string
  body: string
  subject: string | null
  created_at: number
  attempts: number
  not_before: number
}
