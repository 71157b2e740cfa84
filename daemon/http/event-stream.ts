import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'

/** One server-sent event. `data` is one line. */
export interface ServerEvent {
  readonly id: string | number
  /** Default: `message`. */
  readonly event?: string
  readonly data: string
}

const keepAliveMs = 15_000
/** Maximum stall of a reader before it is disconnected. The reader can resume with Last-Event-ID. */
const stallMs = 30_000

/**
 * Sends server-sent events until `events` ends, the reader disconnects or `signal` is aborted. Applies back-pressure:
 * takes no event while the reader is behind, so that memory stays bounded.
 */
export async function sendEvents(
  res: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Stops nginx from buffering the events.
    'X-Accel-Buffering': 'no',
  })
  res.flushHeaders()
  const kept = keepAlive(res, clock, signal)
  try {
    for await (const event of events) {
      if (signal.aborted) break
      if (!res.write(textOf(event))) await drained(res, clock, signal)
    }
    if (!signal.aborted) res.write('event: end\ndata: {}\n\n')
  } catch (error) {
    // A source may throw when its signal is aborted.
    if (signal.aborted) return
    res.write(`event: error\ndata: ${JSON.stringify({ error: publicMessage(error) })}\n\n`)
    if (!(error instanceof DaemonError)) throw error
  } finally {
    // A reader that is behind would keep the connection of an ended credential open.
    if (signal.aborted && res.writableNeedDrain) res.destroy()
    else res.end()
    await kept
  }
}

function textOf({ id, event, data }: ServerEvent): string {
  return `id: ${id}\n${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`
}

function publicMessage(error: unknown): string {
  if (error instanceof DaemonError && error.kind !== 'internal') return error.message
  return 'internal error'
}

/** Sends comments so that proxies keep an idle connection open. Skips a reader that is behind. */
async function keepAlive(res: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  res.once('close', () => over.abort())
  res.once('finish', () => over.abort())
  const until = AbortSignal.any([over.signal, signal])
  for (;;) {
    const isOver = await clock.wait(keepAliveMs, until).then(
      () => until.aborted,
      () => true,
    )
    if (isOver || res.writableEnded) return
    if (!res.writableNeedDrain) res.write(': keep-alive\n\n')
  }
}

async function drained(res: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const until = AbortSignal.any([done.signal, signal])
  const stalled = clock.wait(stallMs, until).then(
    () => true,
    () => false,
  )
  const resumed = once(res, 'drain', { signal: until }).then(
    () => false,
    () => false,
  )
  const isStalled = await Promise.race([stalled, resumed])
  done.abort()
  if (isStalled) res.destroy()
}
