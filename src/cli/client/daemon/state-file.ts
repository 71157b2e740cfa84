import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `strata daemon start` remembers of the daemon it started. */
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

/** Undefined where there is none, or none that can be read. */
export function readState(dataDir: string): DaemonState | undefined {
  try {
    const read: Partial<DaemonState> = JSON.parse(readFileSync(join(dataDir, name), 'utf8'))
    const { pid, url, gatewayUrl, startedAt } = read
    const isWhole = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1
    if (!isWhole || typeof url !== 'string' || !URL.canParse(url)) return undefined
    return { pid, url, gatewayUrl: String(gatewayUrl), startedAt: String(startedAt) }
  } catch {
    return undefined
  }
}

/** Whether a process is a daemon still, and not another that got its number. */
export function isDaemonProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const command = commandOf(pid)
  return command === undefined || command.includes('stratad')
}

/** Undefined where the system does not tell. A process that has ended and was not waited for has none. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return undefined
  }
}
