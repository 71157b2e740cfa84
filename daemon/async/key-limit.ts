import { createDeferred, type Deferred } from './deferred.ts'

/** Limits parallel work in total and for each key, so that the work of one key can't keep other keys waiting. */
export interface KeyLimit {
  /** Runs `work` when there is a place. Throws the reason of `signal` if it aborts before. */
  run<T>(key: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Waiting {
  readonly key: number
  readonly turn: Deferred<void>
}

/** The next place goes to the key with the least running work; of several, to the one that waits longest. */
export function createKeyLimit({ total, each }: { total: number; each: number }): KeyLimit {
  const running = new Map<number, number>()
  const waiting = new Set<Waiting>()
  let sum = 0

  const countOf = (key: number) => running.get(key) ?? 0

  function admit(): void {
    while (sum < total) {
      const next = [...waiting]
        .filter(({ key }) => countOf(key) < each)
        .reduce<Waiting | undefined>(
          (best, one) => (best && countOf(best.key) <= countOf(one.key) ? best : one),
          undefined,
        )
      if (!next) return
      waiting.delete(next)
      sum += 1
      running.set(next.key, countOf(next.key) + 1)
      next.turn.resolve()
    }
  }

  function leave(key: number): void {
    sum -= 1
    if (countOf(key) > 1) running.set(key, countOf(key) - 1)
    else running.delete(key)
    admit()
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted()
      const one: Waiting = { key, turn: createDeferred<void>() }
      const abort = () => {
        if (waiting.delete(one)) one.turn.reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      waiting.add(one)
      admit()
      try {
        await one.turn.promise
      } finally {
        signal?.removeEventListener('abort', abort)
      }
      try {
        return await work()
      } finally {
        leave(key)
      }
    },
  }
}
