import type { Environment, EnvironmentState } from '../domain/records.ts'

/** Live environments as they were read last, so that a list of ten thousand maps only what has changed. */
export interface LiveRows {
  get(id: number): Environment | undefined
  /** Takes a row as it is committed; one that is not live any more goes. */
  put(environment: Environment): void
  /** Forgets all. */
  clear(): void
}

/** Past this many the others are read each time: memory stays bounded. */
const mostRows = 20_000

export function createLiveRows(): LiveRows {
  const rows = new Map<number, Environment>()
  return {
    get: (id) => rows.get(id),
    put(environment) {
      const { id, state } = environment
      if (!isLive(state)) rows.delete(id)
      else if (rows.has(id) || rows.size < mostRows) rows.set(id, environment)
    },
    clear: () => rows.clear(),
  }
}

/** States of the partial indexes. */
export function isLive(state: EnvironmentState): boolean {
  return state === 'running' || state === 'paused' || state === 'hibernating'
}
