import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import type { Ownership } from '../../engine/ownership.ts'
import type { Clock } from '../../ports.ts'

const schema = z.object({
  Volumes: z
    .array(
      z.object({
        Name: z.string(),
        Labels: z.record(z.string(), z.string()).nullish(),
        UsageData: z.object({ Size: z.number() }).nullish(),
      }),
    )
    .nullish(),
})

/** The engine walks through all files of its volumes. */
const callMs = 120_000
/** A result is used again for this time. */
const freshMs = 60_000

/** Returns a function that measures the volumes of an engine, in bytes by project id. */
export function createVolumeSizes(
  engine: Engine,
  ownership: Ownership,
  clock: Pick<Clock, 'monotonic'>,
): () => Promise<ReadonlyMap<number, number>> {
  let last: { at: number; sizes: Promise<ReadonlyMap<number, number>> } | undefined

  async function measure(): Promise<ReadonlyMap<number, number>> {
    const query = { type: 'volume' }
    const answer = await engine.call({ path: '/system/df', query, timeoutMs: callMs })
    const sizes = new Map<number, number>()
    for (const { Name, Labels, UsageData } of schema.parse(answer).Volumes ?? []) {
      const fields = ownership.read(Name, Labels)
      if (fields?.role !== 'volume') continue
      // The engine writes -1 for an unknown size.
      const bytes = Math.max(0, UsageData?.Size ?? 0)
      sizes.set(fields.projectId, (sizes.get(fields.projectId) ?? 0) + bytes)
    }
    return sizes
  }

  return () => {
    if (last && clock.monotonic() - last.at < freshMs) return last.sizes
    const entry = { at: clock.monotonic(), sizes: measure() }
    last = entry
    entry.sizes.catch(() => {
      if (last === entry) last = undefined
    })
    return entry.sizes
  }
}
