import { backup, DatabaseSync } from '@photostructure/sqlite'
import { databaseFault } from './database-fault.ts'

/** Pages copied in one go (4 KiB each), before others get a turn. */
const rate = 500

/**
 * Copies what is committed now into the file `target`, which must not exist. The copy is of one instant: a read
 * transaction of its own holds it, and writers go on beside it. It has no log beside it. Throws DaemonError where the
 * fault has a sentence.
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
