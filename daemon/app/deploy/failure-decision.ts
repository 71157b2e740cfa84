import { deployDelayMs } from '../../domain/retry.ts'
import type { DaemonError } from '../../errors.ts'
import {
  AwaitsDisk,
  AwaitsMemory,
  Interrupted,
  LeaseLost,
  RefusedDeploy,
  toDeployError,
} from './faults.ts'

export type FailureDecision =
  /** Write nothing: another daemon holds the lease. */
  | { readonly kind: 'abandon' }
  | { readonly kind: 'await-memory'; readonly cause: AwaitsMemory }
  | { readonly kind: 'await-disk'; readonly reason: string }
  | { readonly kind: 'requeue'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly error: RefusedDeploy }
  | {
      readonly kind: 'retry'
      readonly error: DaemonError
      readonly attempts: number
      readonly delayMs: number
    }
  | { readonly kind: 'give-up'; readonly error: DaemonError; readonly attempts: number }

/** Decides how a failed attempt continues. `attempts` includes this attempt. Only transient faults are retried. */
export function decideFailure(cause: unknown, attempts: number): FailureDecision {
  if (cause instanceof LeaseLost) return { kind: 'abandon' }
  if (cause instanceof AwaitsMemory) return { kind: 'await-memory', cause }
  if (cause instanceof AwaitsDisk) return { kind: 'await-disk', reason: cause.message }
  if (cause instanceof Interrupted) return { kind: 'requeue', reason: cause.message }
  if (cause instanceof RefusedDeploy) return { kind: 'refuse', error: cause }
  const error = toDeployError(cause)
  const delayMs = error.kind === 'transient' ? deployDelayMs(attempts) : undefined
  if (delayMs === undefined) return { kind: 'give-up', error, attempts }
  return { kind: 'retry', error, attempts, delayMs }
}
