import { fork } from 'node:child_process'
import { once } from 'node:events'

type Reply<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly message: string }

/** Runs the jobs of the parent process one by one, until the parent disconnects. */
export function serveJobs<Job, Result>(runJob: (job: Job) => Promise<Result>): void {
  process.on('message', async (job: Job) => process.send?.(await replyTo(job, runJob)))
  process.on('disconnect', () => process.exit())
}

/**
 * Starts a worker script that calls `serveJobs`. Load runs in a process of its own, as it must not share an event loop with
 * the code that starts and times the servers. `run` takes one job at a time, and throws if the job fails.
 */
export function startLoadProcess<Job extends object, Result>(worker: URL) {
  const child = fork(worker)
  const exited = once(child, 'exit').then((): [Reply<Result>] => [
    { kind: 'failed', message: 'the load process exited' },
  ])
  return {
    async run(job: Job): Promise<Result> {
      const replied = once(child, 'message')
      child.send(job)
      // Only `serveJobs` writes to this channel, and it sends a Reply.
      const [reply] = (await Promise.race([replied, exited])) as [Reply<Result>]
      if (reply.kind === 'failed') throw new Error(reply.message)
      return reply.result
    },
    stop: () => child.kill(),
  }
}

async function replyTo<Job, Result>(
  job: Job,
  runJob: (job: Job) => Promise<Result>,
): Promise<Reply<Result>> {
  try {
    return { kind: 'done', result: await runJob(job) }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}
