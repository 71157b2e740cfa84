import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { AuditEntry } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import { rejectedName } from './apply.ts'
import { backupPaths, namesIn } from './paths.ts'

const appliedSchema = z.object({ at: z.number(), replaced: z.string(), created_at: z.string() })
const rejectedSchema = z.object({ at: z.number(), reason: z.string() })

/**
 * Writes the audit rows of the restores that `applyStagedRestore` has applied or set aside, once each. To be called
 * when the database is open.
 */
export async function bookRestores({
  dataDir,
  store,
}: {
  dataDir: string
  store: Pick<Store, 'audit'>
}): Promise<void> {
  const { restore } = backupPaths(dataDir)
  for (const name of await namesIn(restore)) {
    if (/^applied-.*\.json$/.test(name)) {
      const path = join(restore, name)
      const { at, replaced, created_at } = appliedSchema.parse(await readJson(path))
      const detail = `a backup of ${created_at}; what was there before is in ${replaced}`
      await bookOnce(store, 'restore_applied', detail, at)
      await rm(path)
    }
    if (
      name.startsWith('rejected-') &&
      (await namesIn(join(restore, name))).includes(rejectedName)
    ) {
      const path = join(restore, name, rejectedName)
      const { at, reason } = rejectedSchema.parse(await readJson(path))
      await bookOnce(store, 'restore_rejected', `${reason}; it is kept in restore/${name}`, at)
      await rename(path, join(restore, name, 'reason.json'))
    }
  }
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** A kill after the row was written leaves the note it was made from. */
async function bookOnce(
  { audit }: Pick<Store, 'audit'>,
  kind: AuditEntry['kind'],
  detail: string,
  at: number,
): Promise<void> {
  const known = await audit.list({ kind, since: at, until: at, limit: 1 })
  if (known.length > 0) return
  const about = { environmentId: null, projectId: null, branch: null, requestId: null }
  await audit.write({ ...about, kind, detail, occurredAt: at, operator: 'daemon' })
}
