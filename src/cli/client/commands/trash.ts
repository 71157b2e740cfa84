import type { TrashEntry } from '../../../../daemon/client/contract.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { findNamedProject } from '../projects/projects.ts'
import { keptText } from '../projects/trash.ts'
import { parseId } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { confirm } from '../terminal/confirm.ts'
import { printable } from '../terminal/printable.ts'
import { formatAge, formatBytes, formatUntil } from '../terminal/units.ts'

/** `strata trash list` */
export function listTrash(options: CommonOptions & { readonly project?: string }): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { body } = await client.call('listTrash', {}, { signal })
    const entries = await entriesOf(session, body, options.project)
    const now = Date.now()
    output.result(entries, () =>
      entries.length === 0
        ? ['the trash is empty']
        : output.table(
            ['ID', 'PROJECT', 'BRANCH', 'SIZE', 'REASON', 'BY', 'TRASHED', 'DELETED'],
            entries.map((entry) => [
              String(entry.id),
              `${printable(entry.project)} (${entry.project_id})`,
              printable(entry.branch),
              entry.size_bytes === null ? 'unknown' : formatBytes(entry.size_bytes),
              entry.reason.replace('_', ' '),
              printable(entry.operator),
              formatAge(entry.trashed_at, now),
              formatUntil(entry.expires_at, now),
            ]),
          ),
    )
  })
}

/** `strata trash restore`: moves data back to its branch. `project` receives the data of a deleted project. */
export function restoreTrash(
  idText: string,
  options: CommonOptions & { readonly project?: string },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const id = parseId('trash id', idText)
    const target =
      options.project === undefined ? undefined : await findNamedProject(session, options.project)
    const input = { params: { id }, body: target ? { project_id: target.id } : {} }
    const { body } = await client.call('restoreTrash', input, { signal, timeoutMs })
    const branch = printable(body.branch)
    output.result(body, () => [
      `the data of ${branch} is back in project ${body.project_id}; strata up ${branch} deploys it`,
    ])
  })
}

/** `strata trash purge` */
export function purgeTrash(
  idText: string,
  options: CommonOptions & { readonly yes?: boolean },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const entry = await findEntry(session, parseId('trash id', idText))
    const { id } = entry
    const owner = `branch ${printable(entry.branch)} of ${printable(entry.project)}`
    await confirm(
      {
        consequences: [
          `entry ${id}: data of ${owner}, ${keptText(entry)}`,
          '  the data is deleted for good',
        ],
        question: `delete the data of ${owner}?`,
        unattended: `strata trash purge ${id} --yes`,
        isGiven: options.yes ?? false,
      },
      output,
      signal,
    )
    await client.call('purgeTrash', { params: { id } }, { signal, timeoutMs })
    output.result({ id, status: 'purged' }, () => [`deleted entry ${id} from the trash: ${owner}`])
  })
}

/** Projects that were deleted are known by the names and ids of their entries alone. */
async function entriesOf(
  session: Session,
  entries: readonly TrashEntry[],
  project: string | undefined,
): Promise<readonly TrashEntry[]> {
  if (project === undefined) return entries
  const matching = entries.filter(
    ({ project: name, project_id }) => name === project || String(project_id) === project,
  )
  if (matching.length === 0) await findNamedProject(session, project)
  return matching
}

async function findEntry({ client, signal }: Session, id: number): Promise<TrashEntry> {
  const { body } = await client.call('listTrash', {}, { signal })
  const entry = body.find((each) => each.id === id)
  if (entry) return entry
  throw new ClientError(`no entry ${id} in the trash`, { exitCode: 2, next: ['strata trash list'] })
}
