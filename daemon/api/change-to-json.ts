import type { Change } from '../domain/changes.ts'
import type { PublicPort } from '../domain/public-port.ts'
import type { Project } from '../domain/records.ts'
import type { EventName, EventOf } from './events.ts'
import {
  auditWire,
  environmentWire,
  nodeWire,
  projectWire,
  queueWire,
  tokenWire,
  trashWire,
} from './records-to-json.ts'

type WireEvent = { [Name in EventName]: { event: Name; data: EventOf<Name> } }[EventName]

/**
 * Converts a change to an event of the stream. `project` is the project of a changed environment; undefined if it was
 * removed meanwhile.
 */
export function changeWire(
  change: Change,
  context: { project: Project | undefined; publicPort: PublicPort; trashKeepMs: number },
): WireEvent {
  switch (change.topic) {
    case 'environment': {
      const { project, publicPort } = context
      const data = environmentWire(change.environment, project, publicPort)
      return { event: change.topic, data }
    }
    case 'queue_entry':
      return { event: change.topic, data: queueWire(change.entry) }
    case 'project':
      return { event: change.topic, data: projectWire(change.project, context.trashKeepMs) }
    case 'node':
      return { event: change.topic, data: nodeWire(change.node) }
    case 'token':
      return { event: change.topic, data: tokenWire(change.token) }
    case 'audit_entry':
      return { event: change.topic, data: auditWire(change.entry) }
    case 'trash_entry': {
      const { entry } = change
      // The API lists only data that is neither being moved nor removed.
      if (entry.state === 'kept') return { event: change.topic, data: trashWire(entry) }
      return { event: 'trash_entry_removed', data: { id: entry.id, project_id: entry.projectId } }
    }
    case 'queue_entry_removed':
    case 'trash_entry_removed':
      return { event: change.topic, data: { id: change.id, project_id: change.projectId } }
    case 'project_removed':
    case 'node_removed':
      return { event: change.topic, data: { id: change.id } }
  }
}
