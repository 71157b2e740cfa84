import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from './logger.js'

/** The store cannot be opened. `isStarting` means that its server is not ready yet: a retry may succeed. */
export class StoreError extends Error {
  readonly reason: string
  readonly isStarting: boolean

  constructor(cause: unknown, { isStarting }: { isStarting: boolean }) {
    const reason = reasonOf(cause)
    super(`can't open the store of DATABASE_URL: ${reason}`, { cause })
    this.name = 'StoreError'
    this.reason = reason
    this.isStarting = isStarting
  }
}

const defaultRetry = { timeoutMs: 30_000, intervalMs: 500 }

/** Opens the store, with retries while its server is starting. Throws StoreError after the timeout or any other error. */
export async function waitForStore<Store>(
  open: () => Promise<Store>,
  logger: Logger,
  { timeoutMs, intervalMs } = defaultRetry,
): Promise<Store> {
  const deadline = performance.now() + timeoutMs
  let loggedReason: string | undefined
  for (;;) {
    try {
      return await open()
    } catch (error) {
      const failure = toStoreError(error)
      if (!failure.isStarting || performance.now() > deadline) throw failure
      if (failure.reason !== loggedReason)
        logger.warn({ reason: failure.reason }, 'waiting for the store')
      loggedReason = failure.reason
    }
    await pause(intervalMs)
  }
}

function toStoreError(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError(error, { isStarting: false })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node's AggregateError for a host with several addresses has a code and no message.
  const [line] = error.message.split('\n', 1)
  return line || ('code' in error ? String(error.code) : error.name)
}
