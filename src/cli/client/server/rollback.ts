import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { runClient } from '../run/run-command.ts'
import { confirm } from '../terminal/confirm.ts'
import { formatAge } from '../terminal/units.ts'
import { withServerLock } from './locked.ts'
import { requireRoot } from './preconditions.ts'
import { writeRecord } from './record.ts'
import { goBack, needsSnapshot } from './switch-version.ts'

/** `strata server rollback`: undoes an upgrade that has not ended, or goes back to the version before the last one. */
export function rollbackServer(options: CommonOptions & { readonly yes?: boolean }): Promise<void> {
  return runClient(options, async (invocation) => {
    const { output, signal } = invocation
    requireRoot('strata server rollback')
    await withServerLock(async (record) => {
      const earlier = record.pending ?? record.previous
      if (!earlier) {
        throw new ClientError(`strata ${record.current} has no earlier version to go back to`)
      }
      const losesRecords = record.pending === null && (await needsSnapshot(earlier))
      if (losesRecords) {
        const since = formatAge(new Date(earlier.replacedAt).toISOString(), Date.now())
        const consequences = [
          `strata ${record.current} has changed the tables of the daemon's database.`,
          `The rollback puts back the database of ${since}: the daemon forgets projects, deploys,`,
          'secrets and tokens that are newer. The data of apps stays. The newer database is kept',
          'in /opt/strata/snapshots.',
        ]
        await confirm(
          {
            consequences,
            question: `Go back to strata ${earlier.label}?`,
            unattended: 'strata server rollback --yes',
            isGiven: options.yes ?? false,
          },
          output,
          signal,
        )
      }
      invocation.onInterrupt(() => ['the rollback has not ended: run strata server rollback again'])
      writeRecord({ ...record, pending: earlier })
      await goBack(earlier, invocation)
      const previous = record.pending === null ? null : record.previous
      writeRecord({ current: earlier.label, previous, pending: null })
      const value = { label: earlier.label, from: record.current, restored_database: losesRecords }
      output.result(value, () => [`strata ${earlier.label} runs again`])
    })
  })
}
