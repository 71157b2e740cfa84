import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { renameDurably, syncPath } from '../durable-files.ts'
import { raiseIds } from './backup/raise-ids.ts'
import { openConnection } from './connection.ts'
import { versionOf } from './migrate.ts'

/** Returns the schema version of the database file; 0 if it is empty. Throws DaemonError if it can't be read. */
export function schemaVersionOf(file: string): number {
  const connection = openConnection(file, { readOnly: true })
  try {
    return versionOf(connection)
  } finally {
    connection.close()
  }
}

/**
 * Replaces a database that no daemon has open by a copy of `snapshot`. Moves the replaced database to `replaced`. Raises
 * the id counters, so that ids that were given out after the snapshot are not used again. Idempotent after a kill.
 */
export async function putBackSnapshot(files: {
  readonly dataDir: string
  readonly databaseFile: string
  readonly snapshot: string
  readonly replaced: string
}): Promise<void> {
  const { dataDir, databaseFile, snapshot, replaced } = files
  const part = `${databaseFile}.part`
  foldLog(databaseFile)
  await rm(part, { force: true })
  await copyFile(snapshot, part)
  await raiseIds({
    dataDir,
    replacedVolumes: join(dataDir, 'volumes'),
    restored: part,
    replaced: databaseFile,
  })
  await syncPath(part)
  await copyFile(databaseFile, replaced)
  await syncPath(replaced)
  for (const suffix of ['-wal', '-shm']) await rm(`${databaseFile}${suffix}`, { force: true })
  await renameDurably(part, databaseFile)
}

/** Writes the write-ahead log into its database: SQLite must never apply the log to the restored database. */
function foldLog(file: string): void {
  const connection = openConnection(file)
  try {
    connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
}
