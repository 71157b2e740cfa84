import * as z from 'zod'
import { environmentStates } from '../domain/states.ts'
import { auditKind, branch, id, limitText, time, timeText } from './fields.ts'

const port = z.int().min(1).max(65_535).nullable()

const environmentFields = {
  id,
  project_id: id,
  branch: z.strictObject({ name: z.string(), commit_sha: z.string() }),
  state: z.enum(environmentStates),
  /** The host name of the environment. */
  url: z.string(),
  created_at: time,
  updated_at: time,
  last_accessed_at: time,
  /** Time when a sweep destroys the environment unless a request arrives before; null: never. */
  expires_at: time.nullable(),
  /** The port of the app; null unless the app runs. */
  host_port: port,
  /** The public port of the gateway; null unless the environment is live. */
  public_port: port,
  container_name: z.string().nullable(),
  node_id: id,
  reason: z.string().nullable(),
  /** The web process and the processes beside it; empty before the build. */
  processes: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['running', 'restarting', 'stopped']),
      /** The reason of a restart. */
      reason: z.string().nullable(),
    }),
  ),
}

export const environment = z.strictObject(environmentFields)

/** A sample of a running app. `cpu` is the average number of busy processors since the previous sample, or null. */
const usageSample = z.strictObject({
  at: time,
  memory_bytes: z.number().min(0),
  cpu: z.number().min(0).nullable(),
})

/** The limits of an app. `cpus_limit` is null if the app may use every processor. */
const usageLimits = { memory_limit_bytes: z.number(), cpus_limit: z.number().nullable() }

export const usageHistory = z.strictObject({
  environment_id: id,
  ...usageLimits,
  interval_seconds: z.int(),
  /** The samples of the last two hours, oldest first. */
  samples: z.array(usageSample),
})

/** Slots of the last seven days of an environment's branch, oldest first. Latencies are milliseconds. */
export const usageWeek = z.strictObject({
  environment_id: id,
  slot_seconds: z.int(),
  slots: z.array(
    z.strictObject({
      at: time,
      memory_bytes: z.number().min(0).nullable(),
      cpu: z.number().min(0).nullable(),
      requests: z.int().min(0),
      errors: z.int().min(0),
      p50_ms: z.number().min(0).nullable(),
      p95_ms: z.number().min(0).nullable(),
    }),
  ),
})

export const usage = z.strictObject({
  environment_id: id,
  project_id: id,
  ...usageLimits,
  ...usageSample.shape,
})

export const deployBody = z.strictObject({ branch })

export const rollbackBody = z.strictObject({
  branch,
  to_sha: z
    .string()
    .regex(/^[0-9a-f]{4,64}$/i, 'must be a commit hash: 4 to 64 hexadecimal digits')
    .toLowerCase()
    .optional(),
  /** Accepts that the commit lacks migrations that have run on the data. */
  over_migrations: z.boolean().optional(),
})

export const deployed = z.strictObject({
  ...environmentFields,
  build: z.strictObject({ duration_ms: z.number().min(0) }),
})

export const queued = z.strictObject({ status: z.literal('queued'), position: z.int().min(0) })

export const deployFailed = z.looseObject({
  error: z.string(),
  environment_id: id.nullable().optional(),
})

export const queueEntry = z.strictObject({
  id,
  project_id: id,
  branch: z.string(),
  commit_sha: z.string().nullable(),
  operator: z.string(),
  requested_at: time,
  attempts: z.int().min(0),
  state: z.enum(['waiting', 'running']),
  /** Cause of the last failed attempt, or of the wait. */
  reason: z.string().nullable(),
})

const period = {
  since: timeText.optional(),
  until: timeText.optional(),
  kind: auditKind.optional(),
  limit: limitText,
}

export const environmentAuditQuery = z.strictObject(period)

export const auditEntry = z.strictObject({
  id,
  environment_id: id.nullable(),
  project_id: id.nullable(),
  branch: z.string().nullable(),
  kind: auditKind,
  detail: z.string(),
  occurred_at: time,
  operator: z.string(),
  request_id: z.string().nullable(),
})

export const auditPeriod = period
