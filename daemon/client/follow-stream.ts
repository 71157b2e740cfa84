import { ConnectionError, connectionLost, ResponseError } from './errors.ts'
import { parseEvents, type StreamEvent } from './events.ts'

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined
  /** Called when a connection is open. */
  readonly onOpen?: (() => void) | undefined
  /** Called before each reconnection, but only once for an outage. */
  readonly onDrop?: ((why: string) => void) | undefined
  /** Maximum time without data from the daemon; default 5 minutes. */
  readonly maxSilenceMs?: number | undefined
}

/**
 * Yields the events of a stream until its `end` event. Calls `open` for each connection; it must ask for the events after
 * the last received one. Throws ResponseError or ConnectionError if the first connection fails, the daemon refuses the
 * stream, or the daemon stays unreachable. Uses no module of Node, so that a browser can run this.
 */
export async function* followStream(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { signal, onOpen = () => {}, onDrop = () => {}, maxSilenceMs = 300_000 }: StreamOptions,
): AsyncGenerator<StreamEvent, void> {
  let hasConnected = false
  let lastDataAt = Date.now()
  async function* heard(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      lastDataAt = Date.now()
      yield chunk
    }
  }
  for (let failures = 0; ; failures += 1) {
    try {
      const chunks = await open()
      hasConnected = true
      onOpen()
      for await (const event of parseEvents(heard(chunks))) {
        if (event.event === 'end') return
        if (event.event === 'error') throw new ConnectionError(errorOf(event), { isSent: true })
        failures = 0
        yield event
      }
      if (signal?.aborted) return
      onDrop('the daemon ended the connection')
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof ResponseError ? !isTemporary(error) : !hasConnected) throw error
      if (Date.now() - lastDataAt > maxSilenceMs) throw asClientError(error)
      if (failures === 0) onDrop(asClientError(error).message)
    }
    await pause(Math.min(maxPauseMs, 100 * 2 ** failures), signal)
    if (signal?.aborted) return
  }
}

/** Maximum silence of a stream. The daemon sends a comment every 15 s. */
export const streamSilenceMs = 45_000
const maxPauseMs = 3_000

function isTemporary({ status }: ResponseError): boolean {
  return status >= 500 || status === 429
}

function asClientError(error: unknown): ConnectionError | ResponseError {
  if (error instanceof ConnectionError || error instanceof ResponseError) return error
  return connectionLost(error)
}

function errorOf({ data }: StreamEvent): string {
  return (JSON.parse(data) as { error: string }).error
}

/** Resolves after `ms`, or when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done, { once: true })
  })
}
