import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { get } from './get.ts'
import type { LoadRequest } from './load.ts'
import type { Seeded } from './seed.ts'
import type { Stratad } from './stratad.ts'

export const ok = '{"status":"ok"}'
/** The daemon writes the last access of an environment at most once in 15 s. */
const timeoutMs = 30_000

/** Returns one heartbeat request per environment. */
export function heartbeats({ environments }: Seeded): readonly LoadRequest[] {
  return environments.map(({ hostname }) => ({
    text: get('/api/v1/heartbeat', { 'x-forwarded-host': hostname }),
    status: 200,
    body: ok,
  }))
}

/** Waits until every environment was accessed after its seeding: a heartbeat for an unknown host gets the same response. */
export async function untilAllCounted(daemon: Stratad, { environments }: Seeded): Promise<void> {
  const seededAt = new Map(environments.map(({ id, lastAccessedAt }) => [id, lastAccessedAt]))
  const until = performance.now() + timeoutMs
  for (;;) {
    const { text } = await daemon.call(200, { path: '/api/v1/environments' })
    const rows = accesses.parse(JSON.parse(text))
    const counted = rows.filter(
      ({ id, last_accessed_at: at }) => Date.parse(at) > (seededAt.get(id) ?? Number.NaN),
    )
    if (counted.length === environments.length) return
    if (performance.now() > until) {
      throw new Error(`heartbeats reached ${counted.length} of ${seededAt.size} environments`)
    }
    await sleep(500)
  }
}

const accesses = z.array(z.object({ id: z.int(), last_accessed_at: z.string() }))
