import type { Environment, Project, QueueEntry } from '../../../../daemon/client/contract.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { styleOf } from '../terminal/style.ts'
import { formatAge, formatUntil } from '../terminal/units.ts'
import { addressOf } from './environments.ts'

/** Narrower terminals omit the column EXPIRES, so that the address stays readable. */
const wideColumns = 110

export function environmentTable(
  { table, paint, width }: Output,
  projects: readonly Project[],
  environments: readonly Environment[],
): string[] {
  const now = Date.now()
  const hasOthers = environments.some(({ processes }) => (processes ?? []).length > 1)
  const isWide = width === undefined || width >= wideColumns
  return table(
    [
      'ID',
      'PROJECT',
      'BRANCH',
      'STATE',
      ...(hasOthers ? ['PROCESSES'] : []),
      'COMMIT',
      'CHANGED',
      ...(isWide ? ['EXPIRES'] : []),
      'ADDRESS',
    ],
    environments.map((each) => [
      String(each.id),
      nameOf(projects, each.project_id),
      printable(each.branch.name),
      paint(styleOf(each.state), each.state),
      ...(hasOthers ? [processesText(each)] : []),
      each.branch.commit_sha.slice(0, 7),
      formatAge(each.updated_at, now),
      ...(isWide ? [formatUntil(each.expires_at ?? null, now)] : []),
      addressOf(each) ?? paint('dim', printable(each.reason ?? '')),
    ]),
  )
}

/** Lists the processes with the states of those that do not run. A daemon of an earlier version sends none. */
function processesText({ processes = [], state }: Environment): string {
  const texts = processes.map(({ name, state: own }) =>
    own === 'running' || state !== 'running' ? name : `${name} (${own})`,
  )
  return printable(texts.join(', '))
}

export function queueTable(
  { table, paint }: Output,
  projects: readonly Project[],
  queue: readonly QueueEntry[],
): string[] {
  const now = Date.now()
  return table(
    ['ID', 'PROJECT', 'BRANCH', 'STATE', 'REQUESTED BY', 'REQUESTED', 'TRIES', 'REASON'],
    queue.map((entry) => [
      String(entry.id),
      nameOf(projects, entry.project_id),
      printable(entry.branch),
      paint(styleOf(entry.state === 'running' ? 'building' : entry.state), entry.state),
      printable(entry.operator),
      formatAge(entry.requested_at, now),
      String(entry.attempts),
      printable(entry.reason ?? ''),
    ]),
  )
}

/** Returns the name of a project for a terminal; `project 7` if it is not in the list. */
export function nameOf(projects: readonly Project[], id: number): string {
  return printable(projects.find((project) => project.id === id)?.name ?? `project ${id}`)
}
