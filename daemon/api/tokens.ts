import * as z from 'zod'
import { roles } from '../domain/records.ts'
import { duration, id, line, time } from './fields.ts'

/** Names that audit rows use for others than tokens. */
const reserved = /^(master|open|daemon|webhook:.*)$/i

export const createToken = z.strictObject({
  name: line(100).refine((name) => !reserved.test(name), 'must not be a name the daemon uses'),
  /** Left out: all projects. An empty list is refused, as it must not come to mean all. */
  projects: z.array(id).min(1, 'must name a project, or be left out for all').max(1000).optional(),
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

/** The token itself is in this answer and in no other. */
export const createdToken = z.strictObject({ ...tokenFields, token: z.string() })

export const token = z.strictObject({
  ...tokenFields,
  created_at: time,
  revoked_at: time.nullable(),
})
