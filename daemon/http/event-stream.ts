import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock, LogLine } from '../ports.ts'

const keepAliveMs = 15_000
/** Maximum stall of a reader before it is disconnected. The reader can resume with Last-Event-ID. */
const stallMs = 30_000

/**
 * Sends lines as server-sent events until `lines` ends, the reader disconnects or `signal` is aborted. Applies
 * back-pressure: reads no line while the reader is behind, so that memory stays bounded.
 */
export async function sendEvents(
  res: ServerResponse,
  lines: AsyncIterable<LogLine>,
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
    for await (const line of lines) {
      if (signal.aborted) break
      if (!res.write(eventOf(line))) await drained(res, clock, signal)
    }
    if (!signal.aborted) res.write('event: end\ndata: {}\n\n')
  } catch (error) {
    // A source may throw when its signal is aborted.
    if (signal.aborted) return
    res.write(`event: error\ndata: ${JSON.stringify({ error: publicMessage(error) })}\n\n`)
    if (!(error instanceof DaemonError)) throw error
  } finally {
    res.end()
    await kept
  }
}

function eventOf({ id, ts, stream, line }: LogLine): string {
  return `id: ${id}\ndata: ${JSON.stringify({ ts, stream, line })}\n\n`
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
