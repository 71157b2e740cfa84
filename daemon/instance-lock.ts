import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { DaemonError } from './errors.ts'

/**
 * Takes the data folder for this process alone; the system lets go of it when the process ends, however it ends
 * (SQLite's file lock). Returns what gives it back. Throws `conflict` where another daemon has it.
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'daemon.lock'))
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new DaemonError('conflict', `another stratad runs on ${dataDir}: stop it first`, {
      cause: error,
    })
  }
  return () => lock.close()
}
