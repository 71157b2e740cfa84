import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../errors/error-text.ts'

const name = 'strata-daemon.starting'

/**
 * Acquires the lock file for starting a daemon on a data folder. Returns a function that releases the lock, or undefined
 * if a living process holds it. Takes over the lock of a process that died.
 */
export function acquireStartLock(dataDir: string): (() => void) | undefined {
  const path = join(dataDir, name)
  const isAcquired = create(path) || (isStale(path) && replace(path))
  return isAcquired ? () => rmSync(path, { force: true }) : undefined
}

function create(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function replace(path: string): boolean {
  rmSync(path, { force: true })
  return create(path)
}

/** Do not treat an empty lock file as stale: its owner has created the file and will write its pid. */
function isStale(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    if (pid === 0) return false
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}
