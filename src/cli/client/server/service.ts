import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ClientError } from '../errors/client-error.ts'
import { unitName } from './layout.ts'

/** State of the unit. `active` and `enabled` are the words of systemctl. */
export interface UnitState {
  readonly active: string
  readonly enabled: string
  readonly pid: number | null
}

export interface ProgramResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const systemctlTimeoutMs = 180_000

/** Returns true if systemd is the init of this machine, as sd_booted(3) decides. */
export function isSystemdRunning(): boolean {
  return existsSync('/run/systemd/system')
}

/** Runs `systemctl` for the unit. Throws ClientError with its message if it fails. */
export async function systemctl(...args: readonly string[]): Promise<void> {
  const result = await runProgram('systemctl', args, systemctlTimeoutMs)
  if (result === undefined) throw new ClientError('the program systemctl is missing')
  if (result.code === 0) return
  const reason = result.stderr.trim().split('\n').at(-1) ?? ''
  throw new ClientError(`systemctl ${args.join(' ')} failed: ${reason}`, {
    next: ['journalctl --unit stratad --lines 50'],
  })
}

/** Returns the state of the unit. */
export async function readUnitState(): Promise<UnitState> {
  const words = async (verb: string) => {
    const result = await runProgram('systemctl', [verb, unitName], systemctlTimeoutMs)
    return result?.stdout.trim().split('\n')[0] || 'unknown'
  }
  const shown = await runProgram(
    'systemctl',
    ['show', '--property=MainPID', '--value', unitName],
    systemctlTimeoutMs,
  )
  const pid = Number(shown?.stdout.trim() ?? '0')
  return {
    active: await words('is-active'),
    enabled: await words('is-enabled'),
    pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
  }
}

/** Checks a unit file with `systemd-analyze verify`. Returns its complaints, or the reason that it was not checked. */
export async function verifyUnit(
  path: string,
): Promise<{ faults: readonly string[]; skipped?: string }> {
  const result = await runProgram('systemd-analyze', ['verify', path], 60_000)
  if (result === undefined) return { faults: [], skipped: 'systemd-analyze is missing' }
  const lines = `${result.stdout}\n${result.stderr}`.split('\n').filter((line) => line !== '')
  const own = lines.filter((line) => line.includes('stratad.service'))
  return { faults: result.code === 0 ? own : [...own, ...(own.length === 0 ? lines : [])] }
}

/** Returns the last lines of the unit's journal, or none if there is no journal. */
export async function lastJournalLines(): Promise<string[]> {
  const args = ['--unit', unitName, '--lines', '15', '--no-pager', '--output', 'cat']
  const result = await runProgram('journalctl', args, 15_000)
  return result?.code === 0 ? result.stdout.trim().split('\n') : []
}

/** Runs a program without a shell. Returns undefined if the program is missing. */
export function runProgram(
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<ProgramResult | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, maxBuffer: 2 ** 22, encoding: 'utf8' as const }
    execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') return resolve(undefined)
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
      resolve({ code, stdout, stderr: stderr || (error && code === 1 ? error.message : '') })
    })
  })
}
