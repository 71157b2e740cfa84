import * as z from 'zod'
import { trashReasons } from '../domain/records.ts'
import { id, time } from './fields.ts'

export const trashEntry = z.strictObject({
  id,
  project_id: id,
  /** Name and source (`repo_dir` or `repo_url`) of the project when the branch was destroyed. */
  project: z.string(),
  source: z.string(),
  branch: z.string(),
  /** Bytes on disk; null if unknown. */
  size_bytes: z.number().nullable(),
  trashed_at: time,
  expires_at: time,
  operator: z.string(),
  reason: z.enum(trashReasons),
})

/** `project_id` is required if the entry's project was deleted, and refused otherwise. */
export const restoreTrash = z.strictObject({ project_id: id.optional() }).optional()

export const restoredTrash = z.strictObject({
  status: z.literal('restored'),
  project_id: id,
  branch: z.string(),
})
