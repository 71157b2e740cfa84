import type { Environment } from '../domain/records.ts'
import { isLive } from '../domain/states.ts'

/** A cache of live environments, so that listing ten thousand of them converts only changed rows. */
export interface LiveRows {
  get(id: number): Environment | undefined
  /** Adds or updates a committed row. Removes a row that is no longer live. */
  put(environment: Environment): void
  clear(): void
}

/** Maximum number of cached rows, to bound memory. Further rows are read each time. */
const maxRows = 20_000

export function createLiveRows(): LiveRows {
  const rows = new Map<number, Environment>()
  return {
    get: (id) => rows.get(id),
    put(environment) {
      const { id, state } = environment
      if (!isLive(state)) rows.delete(id)
      else if (rows.has(id) || rows.size < maxRows) rows.set(id, environment)
    },
    clear: () => rows.clear(),
  }
}
