import type { Clock, Logger } from '../../ports.ts'

/** Coalesces signals: while `work` runs, any number of signals cause one more run. */
export interface QueueTrigger {
  signal(): void
  /** Schedules a signal at a time in milliseconds since 1970. Replaces the previously scheduled signal. */
  signalAt(time: number): void
  stop(): void
}

const retryMs = 1000

/** Runs `work` after each signal, never concurrently. Retries after one second if `work` throws. */
export function createQueueTrigger(deps: {
  clock: Clock
  logger: Logger
  work: () => Promise<void>
}): QueueTrigger {
  const { clock, logger, work } = deps
  let isRunning = false
  let isSignaled = false
  let isStopped = false
  let timer = new AbortController()

  function signal(): void {
    isSignaled = true
    if (isRunning) return
    isRunning = true
    run().finally(() => {
      isRunning = false
    })
  }

  async function run(): Promise<void> {
    while (isSignaled && !isStopped) {
      isSignaled = false
      try {
        await work()
      } catch (err) {
        logger.error({ err }, 'could not read the deploy queue: trying again')
        signalAt(clock.now() + retryMs)
      }
    }
  }

  function signalAt(time: number): void {
    timer.abort()
    timer = new AbortController()
    clock.wait(Math.max(1, time - clock.now()), timer.signal).then(signal, () => undefined)
  }

  return {
    signal,
    signalAt,
    stop() {
      isStopped = true
      timer.abort()
    },
  }
}
