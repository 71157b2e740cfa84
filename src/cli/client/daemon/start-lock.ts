import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../contexts.ts'

const name = 'strata-daemon.starting'

/**
 * Takes the right to start a daemon on a data folder; what gives it back, or undefined while another process has it. One
 * that has ended without giving it back has lost it.
 */
export function lockStart(dataDir: string): (() => void) | undefined {
  const path = join(dataDir, name)
  const isOurs = take(path) || (isAbandoned(path) && retake(path))
  return isOurs ? () => rmSync(path, { force: true }) : undefined
}

function take(path: string): boolean {
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

function retake(path: string): boolean {
  rmSync(path, { force: true })
  return take(path)
}

/** An empty one has just been made. */
function isAbandoned(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    if (pid === 0) return false
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}
