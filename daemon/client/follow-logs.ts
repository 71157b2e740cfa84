import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { ConnectionError, ResponseError } from './errors.ts'
import { parseEvents, type StreamEvent } from './events.ts'
import { connectionLost } from './transport.ts'

/** A line of an environment's output. Ids grow, and a reader can resume after any id. */
export interface LogLine {
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
}

export interface FollowOptions {
  readonly signal?: AbortSignal
  /** Id of the line to start after; 0 starts with the first kept line. Default: the last 50 lines. */
  readonly afterId?: number
  /** Called before each reconnection. */
  readonly onDrop?: (why: string) => void
  /** Maximum time without data from the daemon; default 5 minutes. */
  readonly maxSilenceMs?: number
}

/**
 * Yields the lines of an environment until it is destroyed. Reconnects after the last line, so that no line is missed or
 * repeated. Throws ResponseError or ConnectionError if the first connection fails or the daemon stays unreachable.
 */
export async function* followLogs(
  client: Client,
  environmentId: number,
  { signal, afterId, onDrop = () => {}, maxSilenceMs = 300_000 }: FollowOptions = {},
): AsyncGenerator<LogLine, void> {
  let lastId = afterId
  let hasConnected = false
  let lastEventAt = Date.now()
  let connectedAt = Number.POSITIVE_INFINITY
  for (let failures = 0; ; failures += 1) {
    try {
      const headers = lastId === undefined ? {} : { 'last-event-id': String(lastId) }
      const response = await client.open('followLogs', {
        params: { id: environmentId },
        headers: { accept: 'text/event-stream', ...headers },
        silenceMs,
        ...(signal && { signal }),
      })
      hasConnected = true
      connectedAt = Date.now()
      for await (const event of parseEvents(response)) {
        lastEventAt = Date.now()
        if (event.event === 'end') return
        if (event.event === 'error') throw new ConnectionError(errorOf(event), { isSent: true })
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
      if (error instanceof ResponseError ? !isTemporary(error) : !hasConnected) throw error
      if (Date.now() - lastEventAt > maxSilenceMs) throw asClientError(error)
      if (failures === 0) onDrop(asClientError(error).message)
    }
    // A connection without lines means that the log was empty: resume at its start, so that no line is missed.
    if (Date.now() - connectedAt > settledMs) lastId ??= 0
    await pause(Math.min(maxPauseMs, 100 * 2 ** failures), undefined, signal && { signal }).catch(
      () => {},
    )
    if (signal?.aborted) return
  }
}

/** Maximum silence of the stream. The daemon sends a comment every 15 s. */
const silenceMs = 45_000
const maxPauseMs = 3_000
/** Time after a connection by which existing lines have arrived. */
const settledMs = 2_000

function isTemporary({ status }: ResponseError): boolean {
  return status >= 500 || status === 429
}

function asClientError(error: unknown): ConnectionError | ResponseError {
  if (error instanceof ConnectionError || error instanceof ResponseError) return error
  return connectionLost(error)
}

function lineOf({ id, data }: StreamEvent): LogLine {
  // The cast trusts the daemon to send lines of this type.
  return { ...(JSON.parse(data) as Omit<LogLine, 'id'>), id: Number(id) }
}

function errorOf({ data }: StreamEvent): string {
  return (JSON.parse(data) as { error: string }).error
}
