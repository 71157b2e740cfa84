import { setTimeout as pause } from 'node:timers/promises'

export interface RetryOptions {
  retries: number
  /** The maximum of the first pause. It doubles with each retry. */
  maxFirstPauseMs: number
}

const defaults: RetryOptions = { retries: 5, maxFirstPauseMs: 50 }

/**
 * Repeats the work after a random pause if the work throws a temporary error. Throws the error of
 * the last attempt.
 */
export async function retryIf<T>(
  isTemporary: (error: unknown) => boolean,
  work: () => Promise<T>,
  { retries, maxFirstPauseMs }: RetryOptions = defaults,
): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await work()
    } catch (error) {
      if (turn === retries || !isTemporary(error)) throw error
    }
    await pause(Math.random() * maxFirstPauseMs * 2 ** turn)
  }
}
