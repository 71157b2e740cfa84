import type { Schedule } from '../../../../daemon/client/contract.ts'
import type { CommonOptions } from '../connection/session.ts'
import { findTarget, type TargetOptions } from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'
import { formatAge, formatUntil } from '../terminal/units.ts'

/** Runs of each schedule that are shown. */
const shownRuns = 3

/** `strata cron`: lists the schedules of an environment with their next and last runs. */
export function cron(
  targetText: string | undefined,
  options: CommonOptions & TargetOptions,
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { environment } = await findTarget(session, targetText, options)
    const input = { params: { id: environment.id } }
    const { body } = await client.call('listSchedules', input, { signal })
    const now = Date.now()
    output.result(body, () => {
      if (body.length === 0) return ['no schedules: add deploy.cron to strata.json']
      const headings = ['NAME', 'SCHEDULE', 'TIME ZONE', 'NEXT', 'LAST RUNS']
      return output.table(
        headings,
        body.map((each) => [
          printable(each.name),
          printable(each.schedule),
          printable(each.timezone),
          each.next_run_at === null ? 'never' : formatUntil(each.next_run_at, now),
          each.runs
            .slice(0, shownRuns)
            .map((run) => `${formatAge(run.due_at, now)}: ${outcomeText(run)}`)
            .join(', '),
        ]),
      )
    })
  })
}

function outcomeText({ outcome, exit_code }: Schedule['runs'][number]): string {
  const code = exit_code === null || exit_code === 0 ? '' : ` (exit code ${exit_code})`
  return `${outcome.replaceAll('_', ' ')}${code}`
}
