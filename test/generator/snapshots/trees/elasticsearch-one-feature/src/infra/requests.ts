import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../domain/app-error.js'
import { isOutage } from './outage.js'

/** Limits of retries. In each round, one of several concurrent writes of a document succeeds. */
const retries = { max: 200, maxPauseMs: 100 }

/** Awaits a response of the client. Throws AppError `unavailable` for an outage, and other errors unchanged. */
export async function run<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw isOutage(error) ? unavailable(error) : error
  }
}

/** Repeats an attempt that returns undefined after a version conflict. Throws AppError `unavailable` after 200 attempts. */
export async function retryConflicts<Result extends object>(
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let turn = 1; turn <= retries.max; turn++) {
    const result = await attempt()
    if (result) return result
    // A random pause: writers that retry at the same time would conflict again.
    await pause(Math.random() * Math.min(10 * turn, retries.maxPauseMs))
  }
  throw unavailable(new Error('too many concurrent writes of one document: try again'))
}

export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'the store does not answer, try again', { cause })
}
