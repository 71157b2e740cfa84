import { listProjects } from './projects.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions } from './session.ts'
import { queueTable } from './status.ts'
import { parseId } from './values.ts'

/** `strata queue` */
export function listQueue(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { body } = await client.call('listQueue', {}, { signal })
    const projects = await listProjects(session)
    output.result(body, () =>
      body.length === 0 ? ['nothing waits and nothing runs'] : queueTable(output, projects, body),
    )
  })
}

/** `strata queue remove` */
export function removeQueueEntry(text: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const id = parseId('the id of a queue entry', text)
    await client.call('removeQueueEntry', { params: { id } }, { signal })
    output.result({ id, status: 'removed' }, () => [`took ${id} out of the queue`])
  })
}
