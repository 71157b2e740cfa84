import * as z from 'zod'
import { roles } from '../domain/records.ts'
import { duration, id, line, time } from './fields.ts'

/** Operator names in audit records that are reserved: no token may have them. */
const reserved = /^(master|open|daemon|webhook:.*)$/i

export const createToken = z.strictObject({
  name: line(100).refine(
    (name) => !reserved.test(name),
    'must not be master, open, daemon or webhook:*',
  ),
  /**
   * If omitted, the token may access all projects. An empty list is refused, because it could be mistaken for all
   * projects.
   */
  projects: z
    .array(id)
    .min(1, 'must name a project: omit it for all projects')
    .max(1000)
    .optional(),
  role: z.enum(roles).optional(),
  expires_in: duration.optional(),
})

const tokenFields = {
  id,
  name: z.string(),
  projects: z.array(id).nullable(),
  role: z.enum(roles),
  expires_at: time.nullable(),
}

/** The only response that contains the token itself. */
export const createdToken = z.strictObject({ ...tokenFields, token: z.string() })

export const token = z.strictObject({
  ...tokenFields,
  created_at: time,
  revoked_at: time.nullable(),
})
