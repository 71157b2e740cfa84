import * as z from 'zod'
import { id, line, time } from './fields.ts'

const pem = z.string().min(1).max(65_536)
const tlsKeys = ['tls_ca', 'tls_cert', 'tls_key'] as const

export const registerNode = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
        'must start with a letter or digit and hold only letters, digits, dots, _ and -',
      ),
    endpoint: z
      .string()
      .max(1024)
      .regex(
        /^(local|tcp:\/\/[^\s/?#@]+:\d{1,5}|unix:\/\/\/[^\s\0]+)$/,
        'must be local, tcp://host:port or unix:///path',
      ),
    address: line(255).optional(),
    tls_ca: pem.optional(),
    tls_cert: pem.optional(),
    tls_key: pem.optional(),
    reserved_memory_mb: z
      .int()
      .min(0)
      .max(2 ** 30)
      .optional(),
  })
  .refine((node) => {
    const given = tlsKeys.filter((key) => node[key] !== undefined).length
    return given === 0 || given === tlsKeys.length
  }, 'tls_ca, tls_cert and tls_key belong together: give all or none')

export const updateNode = z
  .strictObject({
    state: z.enum(
      ['active', 'draining'],
      'must be active or draining: only a failed probe sets down',
    ),
    evacuate: z.boolean(),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'give state or evacuate')

const nodeFields = {
  id,
  name: z.string(),
  endpoint: z.string(),
  address: z.string().nullable(),
  has_tls: z.boolean(),
  reserved_memory_mb: z.int(),
  state: z.enum(['active', 'draining', 'down']),
  reason: z.string().nullable(),
  created_at: time,
}

export const node = z.strictObject(nodeFields)

export const updatedNode = z.strictObject({
  ...nodeFields,
  /** Ids of environments that were redeployed on other nodes. */
  moved: z.array(id),
  stuck: z.array(z.strictObject({ environment_id: id, reason: z.string() })),
})
