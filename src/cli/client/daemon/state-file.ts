import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The daemon that `strata daemon start` started, stored in its data folder. */
export interface DaemonState {
  readonly pid: number
  readonly url: string
  readonly gatewayUrl: string
  readonly startedAt: string
}

const name = 'strata-daemon.json'

export function writeState(dataDir: string, state: DaemonState): void {
  writeFileSync(join(dataDir, name), `${JSON.stringify(state)}\n`, { mode: 0o600 })
}

export function removeState(dataDir: string): void {
  rmSync(join(dataDir, name), { force: true })
}

/** Returns undefined if the file is missing or invalid. */
export function readState(dataDir: string): DaemonState | undefined {
  try {
    const parsed: Partial<DaemonState> = JSON.parse(readFileSync(join(dataDir, name), 'utf8'))
    const { pid, url, gatewayUrl, startedAt } = parsed
    const isValidPid = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1
    if (!isValidPid || typeof url !== 'string' || !URL.canParse(url)) return undefined
    return { pid, url, gatewayUrl: String(gatewayUrl), startedAt: String(startedAt) }
  } catch {
    return undefined
  }
}

/** Returns true if the process runs and is a daemon: the pid may have been reused. */
export function isDaemonProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const command = commandOf(pid)
  return command === undefined || command.includes('stratad')
}

/** Returns the command line of a process, empty for a zombie. Returns undefined without /proc. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return undefined
  }
}
