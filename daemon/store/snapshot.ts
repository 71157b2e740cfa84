import { backup, DatabaseSync } from '@photostructure/sqlite'
import { databaseFault } from './database-fault.ts'

/** Number of pages (4 KiB each) to copy before other work on the event loop may run. */
const rate = 500

/**
 * Copies the committed data into the file `target`, which must not exist. A read transaction makes the copy consistent
 * while writers continue. The copy has no log file. Throws DaemonError for known SQLite errors.
 */
export async function writeSnapshot(file: string, target: string): Promise<void> {
  try {
    await copy(file, target)
  } catch (error) {
    throw databaseFault(error)
  }
}

async function copy(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_schema').all()
    await backup(source, target, { rate })
  } finally {
    source.close()
  }
  const copied = new DatabaseSync(target)
  copied.exec('PRAGMA journal_mode = DELETE')
  copied.close()
}
