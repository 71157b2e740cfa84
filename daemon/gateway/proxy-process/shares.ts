import type { Exchange } from './exchange.ts'

/** Held requests by project. A full pool makes room for a project that holds less than another. */
export interface Shares {
  add(exchange: Exchange): void
  remove(exchange: Exchange): void
  /**
   * Returns undefined if the pool has room. If the pool is full, returns the request that must leave for one of the project:
   * the oldest of the project with the most requests, or null if no project holds at least two more than this one.
   */
  displacedBy(projectId: number): Exchange | null | undefined
}

/** `limit`: maximum number of held requests of all projects. */
export function createShares(limit: number): Shares {
  const byProject = new Map<number, Set<Exchange>>()
  let count = 0

  return {
    add(exchange) {
      const { projectId } = exchange.entry
      exchange.heldProjectId = projectId
      let share = byProject.get(projectId)
      if (share === undefined) {
        share = new Set()
        byProject.set(projectId, share)
      }
      share.add(exchange)
      count += 1
    },
    remove(exchange) {
      const share = byProject.get(exchange.heldProjectId)
      if (!share?.delete(exchange)) return
      count -= 1
      if (share.size === 0) byProject.delete(exchange.heldProjectId)
    },
    displacedBy(projectId) {
      if (count < limit) return undefined
      let largest: Set<Exchange> | undefined
      for (const share of byProject.values()) {
        if (largest === undefined || share.size > largest.size) largest = share
      }
      const own = byProject.get(projectId)?.size ?? 0
      if (largest === undefined || largest.size < own + 2) return null
      const [oldest = null] = largest
      return oldest
    },
  }
}
