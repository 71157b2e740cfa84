import type { QueueEntry } from './records.ts'

export interface QueueView {
  /** Queue entries of waiting and running deploys, oldest first. */
  readonly entries: readonly QueueEntry[]
  readonly now: number
  /** Ids of queue entries whose app does not fit in memory now. */
  readonly blocked: ReadonlySet<number>
  /** Ids of projects that use their whole share of the running deploys. */
  readonly full: ReadonlySet<number>
  /** Sequence number of each project's latest lease; absent if never leased. */
  readonly servedAt: ReadonlyMap<number, number>
}

/**
 * Chooses the next waiting deploy: of the project with the fewest running deploys, then of the least recently served
 * project, then the oldest. A deploy waits while another deploy of its branch runs.
 */
export function nextEntry({
  entries,
  now,
  blocked,
  full,
  servedAt,
}: QueueView): QueueEntry | undefined {
  const running = entries.filter(({ state }) => state === 'running')
  const busy = new Set(running.map(branchKey))
  const load = new Map<number, number>()
  for (const { projectId } of running) load.set(projectId, (load.get(projectId) ?? 0) + 1)
  const ready = entries.filter(
    (entry) =>
      entry.state === 'waiting' &&
      entry.notBefore <= now &&
      !blocked.has(entry.id) &&
      !full.has(entry.projectId) &&
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

/**
 * Orders deploys so that the projects take turns: the oldest deploy of each project, then the second of each. `turnAt`
 * has the sequence number of each project's latest turn; a project without one comes first.
 */
export function turns(
  entries: readonly QueueEntry[],
  turnAt: ReadonlyMap<number, number>,
): QueueEntry[] {
  const counts = new Map<number, number>()
  const ranked = entries
    .toSorted((a, b) => a.id - b.id)
    .map((entry) => {
      const place = counts.get(entry.projectId) ?? 0
      counts.set(entry.projectId, place + 1)
      return { entry, place, turn: turnAt.get(entry.projectId) ?? 0 }
    })
  return ranked
    .sort((a, b) => a.place - b.place || a.turn - b.turn || a.entry.id - b.entry.id)
    .map(({ entry }) => entry)
}

/** Returns the earliest future `notBefore`; undefined if there is none. */
export function nextAttemptAt(entries: readonly QueueEntry[], now: number): number | undefined {
  const times = entries
    .filter(({ state, notBefore }) => state === 'waiting' && notBefore > now)
    .map(({ notBefore }) => notBefore)
  return times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined
}

/** Returns a queue entry's position among the waiting entries, from 1; 0 if it is not waiting. */
export function positionOf(entries: readonly QueueEntry[], id: number): number {
  return 1 + entries.filter(({ state }) => state === 'waiting').findIndex((one) => one.id === id)
}

export function branchKey({ projectId, branch }: { projectId: number; branch: string }): string {
  return `${projectId}:${branch}`
}
