import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { DaemonError } from './errors.ts'

/** Locks the data folder for this process. Returns the release function. Throws `conflict` if another daemon holds it. */
export function lockDataDir(dataDir: string): () => void {
  return lock(join(dataDir, 'daemon.lock'), dataDir)
}

/**
 * Locks the database file of `SERVICE_DATABASE_URL`: daemons with different data folders would undo each other's work.
 * Returns the release function. Throws `conflict` if another daemon holds it, and `internal` for a missing folder.
 */
export function lockDatabase(file: string): () => void {
  const path = realPathOf(file)
  return lock(`${path}.lock`, `the database ${path} of SERVICE_DATABASE_URL`)
}

/**
 * Takes a lock that all daemons of this host share, for a short time. Returns the release function; undefined if another
 * daemon holds the lock for `ms`, or if the file can't be created.
 */
export async function lockOfHost(file: string, ms: number): Promise<(() => void) | undefined> {
  for (const end = performance.now() + ms; ; await wait(20)) {
    try {
      return lock(file, file)
    } catch (error) {
      const isTaken = error instanceof DaemonError && error.kind === 'conflict'
      if (!isTaken || performance.now() > end) return undefined
    }
  }
}

/** Uses SQLite's file lock: the system releases it when the process ends. */
function lock(file: string, what: string): () => void {
  let connection: InstanceType<typeof DatabaseSync> | undefined
  try {
    connection = new DatabaseSync(file)
    // Keep the journal in memory: the lock then needs no disk space.
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    connection?.close()
    const message = cause instanceof Error ? cause.message : String(cause)
    throw message.includes('database is locked')
      ? new DaemonError('conflict', `another stratad uses ${what}: stop it first`, { cause })
      : new DaemonError('internal', `can't lock ${file} (${message})`, { cause })
  }
  return () => connection?.close()
}

/** Returns one path for all links to a file. The file may be absent. */
function realPathOf(file: string): string {
  for (const [path, rest] of [
    [file, ''],
    [dirname(file), basename(file)],
  ] as const) {
    try {
      return join(realpathSync(path), rest)
    } catch {
      // Absent: try its folder.
    }
  }
  return file
}
