import { useEffect, useReducer, useRef } from 'preact/hooks'
import { subscribe, type Topic } from './live.ts'
import { reuse } from './reuse.ts'

/** Data of the daemon. `data` survives a failed reload: `error` then says why it is stale. */
export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly reload: () => void
}

/** The last data of each key: a room that opens again shows it at once, then reloads it. */
const kept = new Map<string, unknown>()
const maxKept = 100

export function clearData(): void {
  kept.clear()
}

/**
 * Loads data when a component appears, when `key` changes, and after changes of the topics. `key` names the data, with all
 * that `load` depends on, such as `project/3`. `load` gets a signal that is aborted when the component disappears.
 */
export function useData<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  topics: readonly Topic[],
): Loaded<T> {
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0)
  const latest = useRef(load)
  latest.current = load
  const failure = useRef<{ key: string; error: unknown } | undefined>(undefined)
  const reload = useRef(() => {})

  useEffect(() => {
    const over = new AbortController()
    let isLoading = false
    let isStale = false
    async function run(): Promise<void> {
      if (isLoading) {
        isStale = true
        return
      }
      isLoading = true
      try {
        do {
          isStale = false
          const data = reuse(kept.get(key), await latest.current(over.signal))
          if (over.signal.aborted) return
          const isNew = kept.get(key) !== data || failure.current !== undefined
          keep(key, data)
          failure.current = undefined
          if (isNew) redraw(undefined)
        } while (isStale)
      } catch (error) {
        if (over.signal.aborted) return
        failure.current = { key, error }
        redraw(undefined)
      } finally {
        isLoading = false
      }
    }
    reload.current = () => void run()
    void run()
    const unsubscribe = subscribe(topics, () => void run())
    return () => {
      over.abort(new Error('the room has closed'))
      unsubscribe()
    }
    // `topics` is constant for each caller, and `latest` holds the current `load`.
  }, [key])

  return {
    // The cast holds: each key has data of one type.
    data: kept.get(key) as T | undefined,
    error: failure.current?.key === key ? failure.current.error : undefined,
    reload: () => reload.current(),
  }
}

function keep(key: string, data: unknown): void {
  kept.delete(key)
  kept.set(key, data)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}
