import { createDeferred, type Deferred } from '../../async/deferred.ts'
import type { DeployOutcome } from '../ground/use-cases.ts'

/** Callers that wait for the outcome of a deploy, by queue entry id. */
export interface Waiters {
  wait(entryId: number): Promise<DeployOutcome>
  settle(entryId: number, outcome: DeployOutcome): void
  fail(entryId: number, error: unknown): void
  /** Moves the waiting callers of one queue entry to another. */
  move(fromId: number, toId: number): void
}

export function createWaiters(): Waiters {
  const waiting = new Map<number, Deferred<DeployOutcome>[]>()
  function take(entryId: number): Deferred<DeployOutcome>[] {
    const callers = waiting.get(entryId) ?? []
    waiting.delete(entryId)
    return callers
  }
  function add(entryId: number, callers: Deferred<DeployOutcome>[]): void {
    if (callers.length > 0) waiting.set(entryId, [...(waiting.get(entryId) ?? []), ...callers])
  }
  return {
    wait(entryId) {
      const caller = createDeferred<DeployOutcome>()
      add(entryId, [caller])
      return caller.promise
    },
    settle(entryId, outcome) {
      for (const { resolve } of take(entryId)) resolve(outcome)
    },
    fail(entryId, error) {
      for (const { reject } of take(entryId)) reject(error)
    },
    move: (fromId, toId) => add(toId, take(fromId)),
  }
}
