import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the resident memory of a process in MB (10^6 bytes). */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}

/** Returns the processor time of a process so far in milliseconds, without its children. */
export function processorMs(pid: number): number {
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  // Ticks of 10 ms: fields 14 and 15, user and system.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the running child processes of a process. */
export function childrenOf(pid: number): readonly number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return list.split(' ').filter(Boolean).map(Number)
}

export interface ProcessFacts {
  readonly pid: number
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Finds the process with all of these environment variables. Throws if there is none. */
export function findProcess(variables: Readonly<Record<string, string>>): ProcessFacts {
  const wanted = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const env = readList(`/proc/${name}/environ`)
    if (!wanted.every((variable) => env.includes(variable))) continue
    return {
      pid: Number(name),
      argv: readList(`/proc/${name}/cmdline`),
      cwd: readlinkSync(`/proc/${name}/cwd`),
      env: Object.fromEntries(env.map(splitVariable)),
    }
  }
  throw new Error(`no process has ${wanted.join(' and ')}`)
}

/** Finds the process whose command line contains all of these texts. Throws if there is none. */
export function findByCommand(...texts: readonly string[]): number {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    const command = readList(`/proc/${name}/cmdline`).join(' ')
    return texts.every((text) => command.includes(text))
  })
  if (found === undefined) throw new Error(`no process runs ${texts.join(' … ')}`)
  return Number(found)
}

const quietMs = 500
const quietTimeoutMs = 15_000

/** Waits until a process uses almost no processor time for half a second, 15 s at most. */
export async function untilQuiet(pid: number): Promise<void> {
  const until = performance.now() + quietTimeoutMs
  while (performance.now() < until) {
    const before = processorMs(pid)
    await sleep(quietMs)
    if (processorMs(pid) - before <= 10) return
  }
}

/** Returns the path of a program on PATH, or undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/** Reads a NUL-separated file of `/proc`. Returns an empty list if the process has exited. */
function readList(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}

function splitVariable(variable: string): [string, string] {
  const at = variable.indexOf('=')
  return [variable.slice(0, at), variable.slice(at + 1)]
}
