import type { QueueEntry } from './records.ts'

export interface QueueView {
  /** Waiting and running ones, oldest first. */
  readonly entries: readonly QueueEntry[]
  readonly now: number
  /** Entries that are not to be taken: they were found not to fit and nothing has changed since. */
  readonly blocked: ReadonlySet<number>
  /** When each project was served last, as a number that grows; absent: never. */
  readonly servedAt: ReadonlyMap<number, number>
}

/**
 * Which waiting entry comes next: that of the project with the fewest deploys going on, of those the one served the
 * longest ago, of those the oldest. One of a branch that is being deployed waits for it.
 */
export function nextEntry({ entries, now, blocked, servedAt }: QueueView): QueueEntry | undefined {
  const running = entries.filter(({ state }) => state === 'running')
  const busy = new Set(running.map(branchKey))
  const load = new Map<number, number>()
  for (const { projectId } of running) load.set(projectId, (load.get(projectId) ?? 0) + 1)
  const ready = entries.filter(
    (entry) =>
      entry.state === 'waiting' &&
      entry.notBefore <= now &&
      !blocked.has(entry.id) &&
      !busy.has(branchKey(entry)),
  )
  const rank = ({ projectId }: QueueEntry) =>
    [load.get(projectId) ?? 0, servedAt.get(projectId) ?? 0] as const
  return ready.reduce<QueueEntry | undefined>((best, entry) => {
    if (!best) return entry
    const [loadA, servedA] = rank(best)
    const [loadB, servedB] = rank(entry)
    return loadB < loadA || (loadB === loadA && servedB < servedA) ? entry : best
  }, undefined)
}

/** When a waiting entry may be tried that may not be tried now; undefined when there is none. */
export function nextAttemptAt(entries: readonly QueueEntry[], now: number): number | undefined {
  const times = entries
    .filter(({ state, notBefore }) => state === 'waiting' && notBefore > now)
    .map(({ notBefore }) => notBefore)
  return times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined
}

/** The place of an entry among those that wait, from 1; 0 when it does not wait any more. */
export function positionOf(entries: readonly QueueEntry[], id: number): number {
  return 1 + entries.filter(({ state }) => state === 'waiting').findIndex((one) => one.id === id)
}

export function branchKey({ projectId, branch }: { projectId: number; branch: string }): string {
  return `${projectId}:${branch}`
}
