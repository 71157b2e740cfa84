import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClientError } from '../errors/client-error.ts'
import { messageOf } from '../errors/error-text.ts'
import type { Invocation } from '../run/run-command.ts'
import { layout, unitName } from './layout.ts'
import { versionIn } from './package-files.ts'
import { prune } from './prune.ts'
import { becomesReady } from './readiness.ts'
import { type Earlier, readRecord, type ServerRecord, writeRecord } from './record.ts'
import { installedConfig } from './server-settings.ts'
import { lastJournalLines, systemctl } from './service.ts'
import { replaceFile, replaceLink } from './step.ts'

/** A version to start, with the text of its unit. */
export interface NextVersion {
  readonly label: string
  readonly unit: string
  readonly timeoutMs: number
}

/** Maximum time in which the earlier version must answer again. */
const backTimeoutMs = 60_000

/**
 * Starts another version: stops the daemon, copies its database, changes link and unit, and starts the daemon. Apps and
 * gateway keep running. If the new version does not become ready, puts everything back and throws ClientError.
 */
export async function switchVersion(
  record: ServerRecord,
  next: NextVersion,
  invocation: Invocation,
): Promise<void> {
  const { output, signal } = invocation
  invocation.onInterrupt(() => ['the upgrade has not ended: strata server rollback undoes it'])
  try {
    await start(record, next, invocation)
  } catch (error) {
    if (signal.aborted) throw error
    const details = await lastJournalLines()
    output.note(`strata ${next.label} does not start: going back to ${record.current} …`)
    const { pending } = readRecord()
    if (pending) await goBack(pending, invocation)
    writeRecord({ ...record, pending: null })
    throw new ClientError(
      `the upgrade to strata ${next.label} failed: ${messageOf(error)}; strata ${record.current} runs again`,
      { details, cause: error },
    )
  }
}

async function start(
  record: ServerRecord,
  next: NextVersion,
  { output, signal }: Invocation,
): Promise<void> {
  const earlier: Earlier = {
    label: record.current,
    snapshot: null,
    schema: 0,
    unit: readFileSync(layout.unit, 'utf8'),
    replacedAt: Date.now(),
  }
  writeRecord({ ...record, pending: earlier })
  await systemctl('stop', unitName)
  const pending = await withSnapshot(earlier)
  writeRecord({ ...record, pending })
  await activate(next)
  output.note(`waiting for strata ${next.label} …`)
  if (!(await becomesReady(versionIn(next.label), next.timeoutMs, signal))) {
    throw new ClientError(`it does not answer after ${next.timeoutMs / 1000} s`)
  }
  writeRecord({ current: next.label, previous: pending, pending: null })
  prune([next.label, pending.label], pending.snapshot)
}

/**
 * Starts an earlier version again. Puts its database back if a newer version has migrated the database since. Throws
 * ClientError if the earlier version does not become ready. Idempotent.
 */
export async function goBack(earlier: Earlier, { signal }: Invocation): Promise<void> {
  await systemctl('stop', unitName)
  if (earlier.snapshot !== null && (await needsSnapshot(earlier))) {
    const { putBackSnapshot } = await import('../../../../daemon/client/database-swap.ts')
    await putBackSnapshot({
      dataDir: layout.dataDir,
      databaseFile: databaseFile(),
      snapshot: earlier.snapshot,
      replaced: join(layout.snapshots, `${Date.now()}-replaced.db`),
    })
  }
  await activate(earlier)
  if (await becomesReady(versionIn(earlier.label), backTimeoutMs, signal)) return
  throw new ClientError(`strata ${earlier.label} does not answer either`, {
    details: await lastJournalLines(),
    next: ['journalctl --unit stratad'],
  })
}

/** Returns true if the earlier version can't open the database, because a newer one has migrated it. */
export async function needsSnapshot({ schema, snapshot }: Earlier): Promise<boolean> {
  if (snapshot === null || !existsSync(databaseFile())) return false
  const { schemaVersionOf } = await import('../../../../daemon/client/database-swap.ts')
  return schemaVersionOf(databaseFile()) > schema
}

/** Copies the database of the stopped daemon. */
async function withSnapshot(earlier: Earlier): Promise<Earlier> {
  const file = databaseFile()
  if (!existsSync(file)) return earlier
  const { schemaVersionOf, writeSnapshot } = await import(
    '../../../../daemon/client/database-swap.ts'
  )
  const snapshot = join(layout.snapshots, `${earlier.replacedAt}-${earlier.label}.db`)
  await writeSnapshot(file, snapshot)
  return { ...earlier, snapshot, schema: schemaVersionOf(snapshot) }
}

async function activate({ label, unit }: Pick<NextVersion, 'label' | 'unit'>): Promise<void> {
  replaceLink(layout.current, join(layout.versions, label))
  replaceFile(layout.unit, unit, 0o644)
  await systemctl('daemon-reload')
  await systemctl('start', unitName)
}

function databaseFile(): string {
  return installedConfig().databaseFile ?? join(layout.dataDir, 'strata.db')
}
