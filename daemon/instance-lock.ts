import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { DaemonError } from './errors.ts'

/**
 * Locks the data folder for this process, with SQLite's file lock: the system releases it when the process ends.
 * Returns the function that releases the lock. Throws `conflict` if another daemon holds it.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'daemon.lock')
  const lock = new DatabaseSync(file)
  try {
    // Keep the journal in memory: the lock then needs no disk space.
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const message = cause instanceof Error ? cause.message : String(cause)
    throw message.includes('database is locked')
      ? new DaemonError('conflict', `another stratad uses ${dataDir}: stop it first`, { cause })
      : new DaemonError('internal', `can't lock ${file} (${message})`, { cause })
  }
  return () => lock.close()
}
