import * as z from 'zod'
import { auditEntry, environment, queueEntry } from './environments.ts'
import { id } from './fields.ts'
import { node } from './nodes.ts'
import { project } from './projects.ts'
import { token } from './tokens.ts'
import { trashEntry } from './trash.ts'

const removed = z.strictObject({ id })
const removedOfProject = z.strictObject({ id, project_id: id })
const nothing = z.strictObject({})

/** Data of each event of `GET /events`, by the name of the event. */
export const events = {
  /** All changes so far were sent. */
  ready: nothing,
  /** Changes are missing: read everything again. */
  reset: nothing,
  environment,
  queue_entry: queueEntry,
  /** The deploy has ended, or the entry was removed from the queue. */
  queue_entry_removed: removedOfProject,
  project,
  /** The project was deleted, with its environments and queue entries. */
  project_removed: removed,
  node,
  node_removed: removed,
  token,
  trash_entry: trashEntry,
  trash_entry_removed: removedOfProject,
  audit_entry: auditEntry,
} as const

export type EventName = keyof typeof events
export type EventOf<Name extends EventName> = z.output<(typeof events)[Name]>
