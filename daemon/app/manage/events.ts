import { type Change, projectOf } from '../../domain/changes.ts'
import { DaemonError } from '../../errors.ts'
import type { Database, Principal } from '../../ports.ts'
import type { DaemonEvent, EventUseCases } from '../ground/use-cases.ts'
import { createEventRing } from './event-ring.ts'

/** Maximum number of kept events. A reader that misses more starts anew. */
const ringCapacity = 10_000

/**
 * Keeps the committed changes of this daemon's run. `ids` returns a new unique string: its start becomes the epoch of
 * event ids, so that an id of another run is recognized.
 */
export function createEventUseCases({
  store,
  ids,
  capacity = ringCapacity,
}: {
  store: Pick<Database, 'onChange' | 'projects'>
  ids: () => string
  capacity?: number
}): EventUseCases {
  const epoch = ids().replaceAll('-', '').slice(0, 8)
  const ring = createEventRing<Change>(capacity)
  store.onChange(ring.append)
  const idOf = (number: number) => `${epoch}-${number}`

  /** Returns undefined for an id of another run, or an id after which events are missing. */
  function resumePoint(lastId: string): number | undefined {
    const [, given, digits] = /^([0-9A-Za-z]{1,8})-(\d{1,15})$/.exec(lastId) ?? []
    if (digits === undefined) {
      throw new DaemonError(
        'bad-request',
        'invalid Last-Event-ID: expected the id of an event of this stream',
      )
    }
    return given === epoch && ring.isComplete(Number(digits)) ? Number(digits) : undefined
  }

  async function isVisible(change: Change, reader: Principal): Promise<boolean> {
    if (reader.kind !== 'token') return true
    if (change.topic === 'token') return false
    if (reader.projects === null) return true
    const projectId = projectOf(change)
    if (projectId === null || !reader.projects.includes(projectId)) return false
    // Tokens of some projects do not see what deleted projects left.
    return change.topic !== 'trash_entry' || (await store.projects.find(projectId)) !== undefined
  }

  /** `start` is undefined if the reader has missed changes. */
  async function* read(
    start: number | undefined,
    reader: Principal,
    signal: AbortSignal,
  ): AsyncGenerator<DaemonEvent> {
    let last = start ?? ring.head()
    let note: 'ready' | 'reset' | undefined = start === undefined ? 'reset' : 'ready'
    while (!signal.aborted) {
      if (!ring.isComplete(last)) {
        last = ring.head()
        note = 'reset'
      }
      const change = note === 'reset' ? undefined : ring.at(last + 1)
      if (change) {
        last += 1
        if (await isVisible(change, reader)) yield { id: idOf(last), kind: 'change', change }
      } else if (note) {
        yield { id: idOf(last), kind: note }
        note = undefined
      } else {
        await ring.awaitAfter(last, signal)
      }
    }
  }

  return {
    follow: (lastId, reader, signal) =>
      read(lastId === null ? ring.head() : resumePoint(lastId), reader, signal),
  }
}
