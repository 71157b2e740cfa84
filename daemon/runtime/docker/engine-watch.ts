import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../../ports.ts'

const eventSchema = z.object({ Action: z.string(), Actor: z.object({ ID: z.string() }) })

/** Interval of a comparison with the engine, in case an event was lost or the stream hangs. */
const resyncMs = 15_000
const firstRetryMs = 200
const maxRetryMs = 5_000
/** An event is some hundred bytes. A longer line is dropped. */
const maxLine = 1 << 20

/**
 * Watches an engine for ended containers with a label. Calls `ended` with the container's id, and `resync` after each
 * connection and at intervals, because events are lost while the engine is away.
 */
export function watchEngine(
  engine: Engine,
  label: string,
  {
    clock,
    ended,
    resync,
    away,
    report,
  }: {
    clock: Clock
    ended: (containerId: string) => void
    resync: () => Promise<void>
    /** Called when the connection failed. */
    away: (error: unknown) => void
    report: (error: unknown) => void
  },
): { close(): void } {
  const stopping = new AbortController()
  const { signal } = stopping
  let isAway = false

  async function readEvents(): Promise<void> {
    const filters = JSON.stringify({ type: ['container'], event: ['die'], label: [label] })
    const stream = await engine.stream({ path: '/events', query: { filters }, signal })
    await resync()
    isAway = false
    let rest = ''
    for await (const chunk of stream) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = (lines.pop() ?? '').slice(0, maxLine)
      for (const line of lines) handle(line)
    }
  }

  function handle(line: string): void {
    try {
      const event = eventSchema.safeParse(JSON.parse(line))
      if (event.success) ended(event.data.Actor.ID)
    } catch {
      // A cut line: the next resync finds what it reported.
    }
  }

  async function loop(): Promise<void> {
    for (let waitMs = firstRetryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      try {
        await readEvents()
        waitMs = firstRetryMs
      } catch (error) {
        if (signal.aborted) return
        if (!isAway) report(error)
        away(error)
        isAway = true
      }
      await clock.wait(waitMs, signal).catch(() => {})
    }
  }

  async function resyncLoop(): Promise<void> {
    while (!signal.aborted) {
      await clock.wait(resyncMs, signal).catch(() => {})
      // The other loop reports an engine that is away.
      if (!signal.aborted) await resync().catch(() => {})
    }
  }

  void loop()
  void resyncLoop()
  return { close: () => stopping.abort(new Error('the daemon stops')) }
}
