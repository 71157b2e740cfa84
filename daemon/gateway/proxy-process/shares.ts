import type { Exchange } from './exchange.ts'

/** Held requests by project. If the pool is full, a project with fewer held requests displaces requests of others. */
export interface Shares {
  add(exchange: Exchange): void
  remove(exchange: Exchange): void
  /**
   * Returns undefined if the pool has room for a request of the project. If the pool is full, returns the request to
   * displace: the oldest request of the project with the most held requests. Returns null if no project holds at least
   * two more requests than this project.
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
