import * as z from 'zod'
import { roles } from '../domain/records.ts'
import { environmentStates } from '../domain/states.ts'
import { id } from './fields.ts'

export const stats = z.strictObject({
  projects: z.int(),
  environments: z.record(z.enum(environmentStates), z.int()),
  queue_length: z.int(),
  /** Data of each project, in bytes. `bytes` is null before the first measurement; `quota_bytes` without a quota. */
  data: z.array(
    z.strictObject({
      project_id: id,
      bytes: z.number().nullable(),
      quota_bytes: z.number().nullable(),
    }),
  ),
  host: z.strictObject({
    memory_bytes: z.number(),
    memory_free_bytes: z.number(),
    cpu_count: z.int(),
  }),
  nodes: z.array(
    z.strictObject({
      id,
      name: z.string(),
      state: z.enum(['active', 'draining', 'down']),
      memory_bytes: z.number().nullable(),
      cpu_count: z.int().nullable(),
      committed_memory_mb: z.number(),
      environments_live: z.int(),
    }),
  ),
  /** Data of destroyed branches. */
  trash: z.strictObject({ entries: z.int(), bytes: z.number() }),
})

export const infraStatus = z.strictObject({
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  next_steps: z.array(z.string()),
  /** The separations between projects. */
  walls: z.array(z.strictObject({ name: z.string(), stands: z.boolean(), detail: z.string() })),
})

export const rotated = z.strictObject({
  status: z.literal('rotated'),
  /** Number of values that were encrypted with the new key. */
  values: z.int(),
})

export const staged = z.strictObject({ status: z.literal('staged') })

export const setupStatus = z.strictObject({
  version: z.string(),
  auth_required: z.boolean(),
  auto_token: z.boolean(),
  webhook_secret_configured: z.boolean(),
})

/** The permissions of the credential that a request sends. `projects` is null for all projects. */
export const identity = z.strictObject({
  kind: z.enum(['open', 'master', 'token']),
  name: z.string(),
  role: z.enum(roles),
  projects: z.array(id).nullable(),
})

export const setupToken = z.strictObject({ token: z.string() })
/** A webhook secret in plain text. */
export const setupWebhookSecret = z.strictObject({ webhook_secret: z.string() })
export const health = z.strictObject({ status: z.literal('ok'), version: z.string() })

/** Schema of a document that an external specification defines. */
export const document = z.looseObject({})

/**
 * The response to a push: the projects whose deploy was queued, or the environments destroyed with a deleted branch.
 */
export const webhookAccepted = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('queued'), project_ids: z.array(id) }),
  z.strictObject({ status: z.literal('destroyed'), environment_ids: z.array(id) }),
])

/** The response to a delivery that starts no deploy. */
export const webhookNoted = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('ignored'), why: z.string() }),
  z.strictObject({ status: z.literal('renamed'), project_ids: z.array(id) }),
])
