import { durationText } from '../../domain/duration.ts'
import type { Clock, Logger } from '../../ports.ts'

/** Decides whether sweeps may destroy anything: a wrong clock must not delete data. */
export interface DestructionGuard {
  /** Begins the grace period. Call at the start of the daemon. */
  start(): void
  /** Returns true if sweeps may destroy environments. Logs each change of the answer once. */
  isOpen(): boolean
}

/** Minimum difference that counts as a clock jump. Slower corrections, such as by NTP, change both clocks. */
const maxDriftMs = 60_000

export function createDestructionGuard(deps: {
  clock: Pick<Clock, 'now' | 'monotonic'>
  logger: Logger
  graceMs: number
}): DestructionGuard {
  const { clock, logger, graceMs } = deps
  let startedAt = { wall: clock.now(), monotonic: clock.monotonic() }
  let loggedReason: string | undefined

  function reasonToWait(): string | undefined {
    const wallMs = clock.now() - startedAt.wall
    const monotonicMs = clock.monotonic() - startedAt.monotonic
    if (Math.abs(wallMs - monotonicMs) > maxDriftMs) {
      return 'the clock of this machine jumped: sweeps destroy nothing until it is right again, or until the daemon restarts'
    }
    if (monotonicMs >= graceMs) return undefined
    return `the daemon has just started: sweeps destroy nothing for ${durationText(graceMs)}`
  }

  return {
    start() {
      startedAt = { wall: clock.now(), monotonic: clock.monotonic() }
    },
    isOpen() {
      const reason = reasonToWait()
      if (reason !== loggedReason) {
        if (reason) logger.warn({}, reason)
        else logger.info({}, 'sweeps destroy expired environments again')
      }
      loggedReason = reason
      return reason === undefined
    },
  }
}
