import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { get } from './get.ts'
import type { LoadRequest } from './load.ts'
import type { Seeded } from './seed.ts'
import type { Stratad } from './stratad.ts'

export const ok = '{"status":"ok"}'
/** The daemon writes what it knows of an environment at most once in 15 s. */
const longestMs = 30_000

/** One for every environment in turn. */
export function heartbeats({ environments }: Seeded): readonly LoadRequest[] {
  return environments.map(({ hostname }) => ({
    text: get('/api/v1/heartbeat', { 'x-forwarded-host': hostname }),
    status: 200,
    body: ok,
  }))
}

/** Resolves when every environment counts as used since it was seeded: a heartbeat is answered alike for no host at all. */
export async function untilAllCounted(daemon: Stratad, { environments }: Seeded): Promise<void> {
  const seededAt = new Map(environments.map(({ id, lastAccessedAt }) => [id, lastAccessedAt]))
  const until = performance.now() + longestMs
  for (;;) {
    const { text } = await daemon.call(200, { path: '/api/v1/environments' })
    const rows = accesses.parse(JSON.parse(text))
    const counted = rows.filter(
      ({ id, last_accessed_at: at }) => Date.parse(at) > (seededAt.get(id) ?? Number.NaN),
    )
    if (counted.length === environments.length) return
    if (performance.now() > until) {
      throw new Error(`heartbeats of ${counted.length} environments count, not ${seededAt.size}`)
    }
    await sleep(500)
  }
}

const accesses = z.array(z.object({ id: z.int(), last_accessed_at: z.string() }))
