import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from './logger.js'

/** Why the store can't be opened, in one line. `isStarting`: its server does not answer yet, and may soon. */
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

const patience = { forMs: 30_000, everyMs: 500 }

/** Opens the store, again and again while its server is still starting. Throws StoreError for what keeps it shut. */
export async function waitForStore<Store>(
  open: () => Promise<Store>,
  logger: Logger,
  { forMs, everyMs } = patience,
): Promise<Store> {
  const deadline = performance.now() + forMs
  let told: string | undefined
  for (;;) {
    try {
      return await open()
    } catch (error) {
      const failure = toStoreError(error)
      if (!failure.isStarting || performance.now() > deadline) throw failure
      if (failure.reason !== told) logger.warn({ reason: failure.reason }, 'waiting for the store')
      told = failure.reason
    }
    await pause(everyMs)
  }
}

function toStoreError(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError(error, { isStarting: false })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Where a name has several addresses, Node's error has no message of its own.
  const [line] = error.message.split('\n', 1)
  return line || ('code' in error ? String(error.code) : error.name)
}
