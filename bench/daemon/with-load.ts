import { startLoadProcess } from '../harness/load-process.ts'
import type { LoadJob, LoadResult } from './load.ts'

export type Load = (job: LoadJob) => Promise<LoadResult>

const warmUpConnections = 32

/** Loads a server without keeping the times. Sends each of the requests at least once. */
export async function warmUp(
  load: Load,
  job: Pick<LoadJob, 'port' | 'requests' | 'durationMs'>,
): Promise<void> {
  const atLeast = Math.ceil(job.requests.length / warmUpConnections)
  await load({ ...job, connections: warmUpConnections, atLeast })
}

/** Calls `use` with a process that generates load, and stops the process afterwards. */
export async function withLoad<T>(use: (load: Load) => Promise<T>): Promise<T> {
  const load = startLoadProcess<LoadJob, LoadResult>(new URL('./load-worker.ts', import.meta.url))
  try {
    return await use(load.run)
  } finally {
    load.stop()
  }
}
