import type {
  AuditEntry,
  Environment,
  Node,
  Project,
  QueueEntry,
  Token,
  TrashEntry,
} from './records.ts'

/** A committed change of a record. The removal of a project also removes its environments and queue entries. */
export type Change =
  | { readonly topic: 'environment'; readonly environment: Environment }
  | { readonly topic: 'queue_entry'; readonly entry: QueueEntry }
  | { readonly topic: 'queue_entry_removed'; readonly id: number; readonly projectId: number }
  | { readonly topic: 'project'; readonly project: Project }
  | { readonly topic: 'project_removed'; readonly id: number }
  | { readonly topic: 'node'; readonly node: Node }
  | { readonly topic: 'node_removed'; readonly id: number }
  | { readonly topic: 'token'; readonly token: Token }
  | { readonly topic: 'trash_entry'; readonly entry: TrashEntry }
  | { readonly topic: 'trash_entry_removed'; readonly id: number; readonly projectId: number }
  | { readonly topic: 'audit_entry'; readonly entry: AuditEntry }

/** Returns the project of a changed record; null for a record of the whole daemon. */
export function projectOf(change: Change): number | null {
  switch (change.topic) {
    case 'environment':
      return change.environment.projectId
    case 'queue_entry':
    case 'trash_entry':
    case 'audit_entry':
      return change.entry.projectId
    case 'queue_entry_removed':
    case 'trash_entry_removed':
      return change.projectId
    case 'project':
      return change.project.id
    case 'project_removed':
      return change.id
    case 'node':
    case 'node_removed':
    case 'token':
      return null
  }
}
