import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { AnswerError, NoAnswerError } from './errors.ts'
import { eventsOf, type StreamEvent } from './events.ts'
import { brokenOff } from './transport.ts'

/** A line of an environment's output; `id` grows, and names where a reader goes on. */
export interface LogLine {
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
}

export interface FollowOptions {
  readonly signal?: AbortSignal
  /** Goes on after this line; 0: from the first that is kept. Without it: the last 50. */
  readonly afterId?: number
  /** The connection was lost, and is made again. */
  readonly onDrop?: (why: string) => void
  /** The daemon may be away for so long; 5 minutes. */
  readonly patienceMs?: number
}

/**
 * The lines of an environment until it is destroyed. A lost connection is made again from the line that came last: none is
 * missed or repeated. Throws AnswerError and NoAnswerError when the first connection fails, or the daemon stays away.
 */
export async function* followLogs(
  client: Client,
  environmentId: number,
  { signal, afterId, onDrop = () => {}, patienceMs = 300_000 }: FollowOptions = {},
): AsyncGenerator<LogLine, void> {
  let lastId = afterId
  let hasConnected = false
  let heardAt = Date.now()
  let connectedAt = Number.POSITIVE_INFINITY
  for (let failures = 0; ; failures += 1) {
    try {
      const headers = lastId === undefined ? {} : { 'last-event-id': String(lastId) }
      const answer = await client.open('followLogs', {
        params: { id: environmentId },
        headers: { accept: 'text/event-stream', ...headers },
        silenceMs,
        ...(signal && { signal }),
      })
      hasConnected = true
      connectedAt = Date.now()
      for await (const event of eventsOf(answer)) {
        heardAt = Date.now()
        if (event.event === 'end') return
        if (event.event === 'error') throw new NoAnswerError(errorOf(event), { isSent: true })
        if (event.event !== 'message') continue
        const line = lineOf(event)
        lastId = line.id
        failures = 0
        yield line
      }
      if (signal?.aborted) return
      onDrop('the daemon ended the connection')
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof AnswerError ? !isPassing(error) : !hasConnected) throw error
      if (Date.now() - heardAt > patienceMs) throw asNoAnswer(error)
      if (failures === 0) onDrop(asNoAnswer(error).message)
    }
    // A reader that was connected and got no line was at an empty log's end: it goes on from there.
    if (Date.now() - connectedAt > settledMs) lastId ??= 0
    await pause(
      Math.min(longestPauseMs, 100 * 2 ** failures),
      undefined,
      signal && { signal },
    ).catch(() => {})
    if (signal?.aborted) return
  }
}

/** The daemon sends a comment every 15 s. */
const silenceMs = 45_000
const longestPauseMs = 3_000
/** The lines that are there already come at once. */
const settledMs = 2_000

function isPassing({ status }: AnswerError): boolean {
  return status >= 500 || status === 429
}

function asNoAnswer(error: unknown): NoAnswerError | AnswerError {
  if (error instanceof NoAnswerError || error instanceof AnswerError) return error
  return brokenOff(error)
}

function lineOf({ id, data }: StreamEvent): LogLine {
  // The contract's own shape (section 8).
  return { ...(JSON.parse(data) as Omit<LogLine, 'id'>), id: Number(id) }
}

function errorOf({ data }: StreamEvent): string {
  return (JSON.parse(data) as { error: string }).error
}
