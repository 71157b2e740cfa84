import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadJob, LoadResult } from './load.ts'

export type LoadReply =
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly message: string }

export type Load = (job: LoadJob) => Promise<LoadResult>

const warmUpConnections = 32

/** Drives a server whose times are not kept, with each of the requests at least once. */
export async function warmUp(
  load: Load,
  job: Pick<LoadJob, 'port' | 'requests' | 'durationMs'>,
): Promise<void> {
  const atLeast = Math.ceil(job.requests.length / warmUpConnections)
  await load({ ...job, connections: warmUpConnections, atLeast })
}

/** Gives `use` a process that makes load, one job at a time, and ends it afterwards. */
export async function withLoad<T>(use: (load: Load) => Promise<T>): Promise<T> {
  const child = fork(fileURLToPath(new URL('./load-worker.ts', import.meta.url)))
  const gone = once(child, 'exit').then((): [LoadReply] => [
    { kind: 'failed', message: 'the load process ended' },
  ])
  try {
    return await use(async (job) => {
      const reply = once(child, 'message')
      child.send(job)
      // Only load-worker.ts writes to this channel, and it sends a LoadReply.
      const [message] = (await Promise.race([reply, gone])) as [LoadReply]
      if (message.kind === 'failed') throw new Error(message.message)
      return message.result
    })
  } finally {
    child.kill()
  }
}
