import type { Client } from './client.ts'
import type { StreamEvent } from './events.ts'
import { followStream, type StreamOptions, streamSilenceMs } from './follow-stream.ts'

/** A line of an environment's output. Ids grow, and a reader can resume after any id. */
export interface LogLine {
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
  /** The process that wrote the line; absent for the web process and the build. */
  readonly process?: string
}

export interface FollowOptions extends StreamOptions {
  /** Id of the line to start after; 0 starts with the first kept line. Default: the last 50 lines. */
  readonly afterId?: number
  /** A process beside the web process. */
  readonly process?: string | undefined
}

/**
 * Yields the lines of an environment until it is destroyed. Reconnects after the last line, so that no line is missed or
 * repeated. Throws ResponseError or ConnectionError if the first connection fails or the daemon stays unreachable.
 */
export async function* followLogs(
  client: Pick<Client, 'open'>,
  environmentId: number,
  { afterId, process, ...options }: FollowOptions = {},
): AsyncGenerator<LogLine, void> {
  let lastId = afterId
  let connectedAt = Number.POSITIVE_INFINITY
  const open = async () => {
    // A connection without lines means that the log was empty: resume at its start, so that no line is missed.
    if (Date.now() - connectedAt > settledMs) lastId ??= 0
    const after = lastId === undefined ? {} : { 'last-event-id': String(lastId) }
    const response = await client.open('followLogs', {
      params: { id: environmentId },
      query: { process },
      headers: { accept: 'text/event-stream', ...after },
      silenceMs: streamSilenceMs,
      ...(options.signal && { signal: options.signal }),
    })
    connectedAt = Date.now()
    return response
  }
  for await (const event of followStream(open, options)) {
    if (event.event !== 'message') continue
    const line = lineOf(event)
    lastId = line.id
    yield line
  }
}

/** Time after a connection by which existing lines have arrived. */
const settledMs = 2_000

function lineOf({ id, data }: StreamEvent): LogLine {
  // The cast trusts the daemon to send lines of this type.
  return { ...(JSON.parse(data) as Omit<LogLine, 'id'>), id: Number(id) }
}
