import { expect, test } from 'vitest'
import type { DaemonEvent } from '../../../client/follow-events.ts'
import { topicsOf } from './event-topics.ts'

/** An event whose data has only the field that decides about the topics. */
function topics(event: DaemonEvent['event'], kind = ''): string[] {
  return [...topicsOf({ id: 'e-1', event, data: { kind } } as unknown as DaemonEvent)].sort()
}

test('each event reloads the lists that show its record', () => {
  expect(topics('environment')).toEqual(['environments', 'stats'])
  expect(topics('queue_entry_removed')).toEqual(['queue', 'stats'])
  expect(topics('project')).toEqual(['environments', 'projects'])
  expect(topics('node_removed')).toEqual(['nodes', 'stats'])
  expect(topics('token')).toEqual(['tokens'])
  expect(topics('trash_entry')).toEqual(['stats', 'trash'])
})

test('an audit entry also reloads what has no event of its own', () => {
  expect(topics('audit_entry', 'paused')).toEqual(['audit'])
  expect(topics('audit_entry', 'secret_set')).toEqual(['audit', 'secrets'])
  expect(topics('audit_entry', 'domain_added')).toEqual(['audit', 'domains'])
  expect(topics('audit_entry', 'certificate_failed')).toEqual(['audit', 'domains'])
  expect(topics('audit_entry', 'key_rotated')).toEqual(['audit', 'infrastructure'])
})

test('an event about the stream reloads nothing by itself', () => {
  expect(topics('ready')).toEqual([])
})
