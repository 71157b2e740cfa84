import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadJob, LoadResult } from './load.ts'

export type LoadReply =
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly message: string }

/** Starts the process that makes the load. `run` takes one job at a time and throws when it failed. */
export function startLoadProcess() {
  const child = fork(fileURLToPath(new URL('./load-worker.ts', import.meta.url)))
  const gone = once(child, 'exit').then((): [LoadReply] => [
    { kind: 'failed', message: 'the load process ended' },
  ])
  return {
    run: async (job: LoadJob): Promise<LoadResult> => {
      const reply = once(child, 'message')
      child.send(job)
      // Only load-worker.ts writes to this channel, and it sends a LoadReply.
      const [message] = (await Promise.race([reply, gone])) as [LoadReply]
      if (message.kind === 'failed') throw new Error(message.message)
      return message.result
    },
    stop: () => child.kill(),
  }
}
