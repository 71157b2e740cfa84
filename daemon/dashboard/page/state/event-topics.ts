import type { DaemonEvent } from '../../../client/follow-events.ts'
import type { Topic } from './live.ts'

/** Returns the topics of the page that an event of the daemon changes. */
export function topicsOf(event: DaemonEvent): ReadonlySet<Topic> {
  switch (event.event) {
    case 'environment':
      return new Set(['environments', 'stats'])
    case 'queue_entry':
    case 'queue_entry_removed':
      return new Set(['queue', 'stats'])
    case 'project':
      // The expiry of an environment depends on its project.
      return new Set(['projects', 'environments'])
    case 'project_removed':
      return new Set(['projects', 'environments', 'queue', 'trash', 'stats'])
    case 'node':
    case 'node_removed':
      return new Set(['nodes', 'stats'])
    case 'token':
      return new Set(['tokens'])
    case 'trash_entry':
    case 'trash_entry_removed':
      return new Set(['trash', 'stats'])
    case 'audit_entry':
      return new Set(['audit', ...topicsOfAudit(event.data.kind)])
    case 'ready':
    case 'reset':
      return new Set()
  }
}

/** Some changes have no event of their own. */
function topicsOfAudit(kind: string): readonly Topic[] {
  if (kind.startsWith('secret_')) return ['secrets']
  if (/^(domain|certificate)_/.test(kind)) return ['domains']
  return /^(key|backup|restore)_/.test(kind) ? ['infrastructure'] : []
}
