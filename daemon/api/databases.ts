import * as z from 'zod'
import { branch, id, time } from './fields.ts'

export const databaseRecord = z.strictObject({
  id,
  branch: z.string(),
  kind: z.enum(['postgres', 'mysql', 'mongodb']),
  /** Name of the database and of its user on the server. */
  name: z.string(),
  state: z.enum(['creating', 'ready']),
  created_at: time,
})

export const databaseBody = z.strictObject({ branch })
export const databaseQuery = z.strictObject({ branch })
/** The URL contains the password. */
export const databaseUrl = z.strictObject({ branch: z.string(), url: z.string() })
export const copyDatabase = z.strictObject({ from: branch, to: branch })
export const replacedDatabase = z.strictObject({
  status: z.literal('replaced'),
  branch: z.string(),
  /** Id of the trash entry with the previous database. */
  trash_id: id,
})
