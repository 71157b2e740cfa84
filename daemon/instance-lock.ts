import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { DaemonError } from './errors.ts'

/**
 * Takes the data folder for this process alone; the system lets go of it when the process ends, however it ends
 * (SQLite's file lock). Returns what gives it back. Throws `conflict` where another daemon has it.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'daemon.lock')
  const lock = new DatabaseSync(file)
  try {
    // The journal in memory: a full disk keeps nobody from taking the lock.
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const said = cause instanceof Error ? cause.message : String(cause)
    throw said.includes('database is locked')
      ? new DaemonError('conflict', `another stratad runs on ${dataDir}: stop it first`, { cause })
      : new DaemonError('internal', `${file} can't be locked (${said})`, { cause })
  }
  return () => lock.close()
}
