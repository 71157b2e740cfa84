import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import type { AppUsage } from '../../ports.ts'
import type { RunningContainer } from './containers.ts'

const schema = z.object({
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }),
  memory_stats: z.object({
    usage: z.number().default(0),
    stats: z.record(z.string(), z.number()).default({}),
  }),
})

/** Measures containers, and returns their use by environment id. Omits containers that ended meanwhile. */
export async function readUsage(
  engine: Engine,
  containers: readonly RunningContainer[],
): Promise<Map<number, AppUsage>> {
  const found = await Promise.all(
    containers.map(async ({ id, instance }): Promise<[number, AppUsage][]> => {
      const query = { stream: false, 'one-shot': true }
      const answer = await engine
        .call({ path: `/containers/${id}/stats`, query, timeoutMs: 5_000 })
        .catch(() => undefined)
      const stats = schema.safeParse(answer)
      if (!stats.success) return []
      const { cpu_stats, memory_stats } = stats.data
      // Caches that the kernel can drop: cgroup v1 and v2 name them differently.
      const { total_inactive_file: first, inactive_file: second } = memory_stats.stats
      const memoryBytes = Math.max(0, memory_stats.usage - (first ?? second ?? 0))
      const cpuMs = Math.round(cpu_stats.cpu_usage.total_usage / 1e6)
      return [[instance.environmentId, { memoryBytes, cpuMs }]]
    }),
  )
  const sums = new Map<number, AppUsage>()
  for (const [id, { memoryBytes, cpuMs }] of found.flat()) {
    const other = sums.get(id) ?? { memoryBytes: 0, cpuMs: 0 }
    const sum = { memoryBytes: other.memoryBytes + memoryBytes, cpuMs: other.cpuMs + cpuMs }
    sums.set(id, sum)
  }
  return sums
}
