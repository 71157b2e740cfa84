import { writeSync } from 'node:fs'
import { createStore } from '../../../../daemon/store/store.ts'
import { queueDraft } from './record-drafts.ts'

/** Queues deploys and prints each acknowledged one, until it is killed: `child <database>`. */
async function main(file: string): Promise<void> {
  const store = await createStore({ file, now: Date.now })
  for (let n = 1; ; n += 1) {
    await store.queue.put(queueDraft({ branch: `b${n}` }))
    writeSync(1, `${n}\n`)
    if (n === Number(process.env.DIE_AT)) process.kill(process.pid, 'SIGKILL')
  }
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
