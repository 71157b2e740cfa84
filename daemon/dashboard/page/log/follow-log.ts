import { ResponseError } from '../../../client/errors.ts'
import { parseEvents, type StreamEvent } from '../../../client/events.ts'
import type { LogLine } from './log-line.ts'

/** The state of the connection to a log. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `retryAt` is in milliseconds since 1970. */
  | { readonly kind: 'lost'; readonly why: string; readonly retryAt: number }
  /** No more lines will come. */
  | { readonly kind: 'ended' }
  /** The daemon refused, and would refuse again. */
  | { readonly kind: 'failed'; readonly why: string }

/** The start of a stream: after a line, or with the newest lines. */
export type LogStart = { readonly afterId: number } | { readonly newest: number }

export interface FollowDeps {
  /** Sends the request. Resolves when the response begins. Throws ResponseError for an error response. */
  open(start: LogStart, signal: AbortSignal): Promise<Response>
  onLine(line: LogLine): void
  onConnection(connection: Connection): void
  /** Maximum time without data, in milliseconds. The daemon sends a comment every 15 s. */
  readonly silenceMs?: number
  readonly firstRetryMs?: number
  now(): number
}

export interface Following {
  stop(): void
  /** Ends the wait for the next attempt. No-op while connected. */
  retryNow(): void
}

/**
 * Follows the log of an environment until it ends or `stop` is called. After a lost connection, continues after the last
 * line: no line is missed or repeated.
 */
export function startFollowing(start: LogStart, deps: FollowDeps): Following {
  const stopped = new AbortController()
  let endWait: () => void = () => {}
  const { silenceMs = 45_000, firstRetryMs = 500 } = deps

  void run().catch((error) => {
    if (!stopped.signal.aborted) deps.onConnection({ kind: 'failed', why: messageOf(error) })
  })
  return { stop: () => stopped.abort(), retryNow: () => endWait() }

  async function run(): Promise<void> {
    const position = { start, failures: 0 }
    while (!stopped.signal.aborted) {
      deps.onConnection({ kind: 'connecting' })
      const result = await readOnce(position)
      if (stopped.signal.aborted) return
      if (result.kind !== 'lost') return deps.onConnection(result)
      const waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** position.failures)
      position.failures += 1
      deps.onConnection({ ...result, retryAt: deps.now() + waitMs })
      await wait(waitMs)
    }
  }

  /** Reads one connection to its end. Moves `position` with each line. */
  async function readOnce(position: { start: LogStart; failures: number }): Promise<Over> {
    const silent = new AbortController()
    const signal = AbortSignal.any([stopped.signal, silent.signal])
    let timer = setTimeout(() => silent.abort(), silenceMs)
    const onData = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), silenceMs)
    }
    let openedAt: number | undefined
    try {
      const response = await deps.open(position.start, signal)
      openedAt = deps.now()
      deps.onConnection({ kind: 'live' })
      for await (const event of parseEvents(chunksOf(response, onData))) {
        if (event.event === 'end') return { kind: 'ended' }
        if (event.event === 'error') return { kind: 'lost', why: errorOf(event) }
        if (event.event !== 'message' || stopped.signal.aborted) continue
        const line = lineOf(event)
        position.failures = 0
        if ('afterId' in position.start && line.id <= position.start.afterId) continue
        position.start = { afterId: line.id }
        deps.onLine(line)
      }
      return { kind: 'lost', why: 'the daemon ended the connection' }
    } catch (error) {
      if (error instanceof ResponseError && !isTemporary(error)) {
        return { kind: 'failed', why: error.message }
      }
      const why = silent.signal.aborted ? 'the daemon has gone silent' : messageOf(error)
      return { kind: 'lost', why }
    } finally {
      clearTimeout(timer)
      silent.abort()
      // A settled connection without lines means that the log was empty: its first lines must not be skipped.
      const isEmpty = openedAt !== undefined && deps.now() - openedAt > settledMs
      if (isEmpty && 'newest' in position.start) position.start = { afterId: 0 }
    }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
      stopped.signal.addEventListener('abort', endWait, { once: true })
    })
  }
}

type Over =
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly why: string }

const maxRetryMs = 10_000
/** Time after a connection by which existing lines have arrived. */
const settledMs = 2_000
/** Time for which the parser may keep the browser from drawing and from handling input. */
const busyMs = 8

async function* chunksOf(response: Response, onData: () => void): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  let rest = performance.now()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onData()
      yield value
      // Reads of buffered data resolve at once: without a pause, a flood would block the page.
      if (performance.now() - rest > busyMs) {
        await nextTask()
        rest = performance.now()
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Resolves in a new task. A timer would be slowed down in a background tab. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

function isTemporary({ status }: ResponseError): boolean {
  return status >= 500 || status === 429
}

function lineOf({ id, data }: StreamEvent): LogLine {
  // The cast trusts the daemon to send lines of this type.
  return { ...(JSON.parse(data) as Omit<LogLine, 'id'>), id: Number(id) }
}

function errorOf({ data }: StreamEvent): string {
  return (JSON.parse(data) as { error: string }).error
}

function messageOf(error: unknown): string {
  // A browser reports a connection that breaks off as a TypeError with words of its own.
  if (error instanceof TypeError) return 'the connection broke off'
  return error instanceof Error ? error.message : String(error)
}
