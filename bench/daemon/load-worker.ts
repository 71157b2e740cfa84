import { type LoadJob, runLoad } from './load.ts'
import type { LoadReply } from './load-process.ts'

// Its own process: the load must not share an event loop with what starts and times everything else.
process.on('message', async (job: LoadJob) => reply(await outcome(job)))
process.on('disconnect', () => process.exit())

async function outcome(job: LoadJob): Promise<LoadReply> {
  try {
    return { kind: 'done', result: await runLoad(job) }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

function reply(message: LoadReply): void {
  process.send?.(message)
}
