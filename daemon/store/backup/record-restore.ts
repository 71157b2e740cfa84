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
 * Writes one audit record for each restore that `applyStagedRestore` has applied or rejected. Call after the database
 * is opened.
 */
export async function recordRestores({
  dataDir,
  store,
}: {
  dataDir: string
  store: Pick<Store, 'audit' | 'outgoing'>
}): Promise<void> {
  const { restore } = backupPaths(dataDir)
  for (const name of await namesIn(restore)) {
    if (/^applied-.*\.json$/.test(name)) {
      const path = join(restore, name)
      const { at, replaced, created_at } = appliedSchema.parse(await readJson(path))
      const detail = `a backup of ${created_at}; the previous state is in ${replaced}`
      // Messages of the time of the backup were sent long ago, and are news for nobody.
      await store.outgoing.clear()
      await recordOnce(store, 'restore_applied', detail, at)
      await rm(path)
    }
    if (
      name.startsWith('rejected-') &&
      (await namesIn(join(restore, name))).includes(rejectedName)
    ) {
      const path = join(restore, name, rejectedName)
      const { at, reason } = rejectedSchema.parse(await readJson(path))
      const detail = `${reason}; the backup is kept in restore/${name}`
      await recordOnce(store, 'restore_rejected', detail, at)
      await rename(path, join(restore, name, 'reason.json'))
    }
  }
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Idempotent: after a kill, the file that describes the restore may still exist. */
async function recordOnce(
  { audit }: Pick<Store, 'audit'>,
  kind: AuditEntry['kind'],
  detail: string,
  at: number,
): Promise<void> {
  const known = await audit.list({ kind, since: at, until: at, limit: 1 })
  if (known.length > 0) return
  const subject = { environmentId: null, projectId: null, branch: null, requestId: null }
  await audit.write({ ...subject, kind, detail, occurredAt: at, operator: 'daemon' })
}
