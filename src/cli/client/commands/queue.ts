import type { CommonOptions } from '../connection/session.ts'
import { listProjects } from '../projects/projects.ts'
import { queueTable } from '../projects/tables.ts'
import { parseId } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'

/** `strata queue` */
export function listQueue(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { body } = await client.call('listQueue', {}, { signal })
    const projects = await listProjects(session)
    output.result(body, () =>
      body.length === 0 ? ['the queue is empty'] : queueTable(output, projects, body),
    )
  })
}

/** `strata queue remove` */
export function removeQueueEntry(idText: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const id = parseId('queue entry id', idText)
    await client.call('removeQueueEntry', { params: { id } }, { signal })
    output.result({ id, status: 'removed' }, () => [`removed entry ${id} from the queue`])
  })
}
