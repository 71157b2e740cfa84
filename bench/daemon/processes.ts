import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resident memory of a process, MB of a million bytes. */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}

/** Processor time used so far in milliseconds, children that it has waited for not counted. */
export function processorMs(pid: number): number {
  // The second field is the program's name in parentheses and may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  // Ticks of 10 ms: fields 14 and 15, user and system.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The processes that a process has started and that run still. */
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

/** The process that was started with all of these variables. Throws when there is none. */
export function findProcess(variables: Readonly<Record<string, string>>): ProcessFacts {
  const wanted = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const env = listOf(`/proc/${name}/environ`)
    if (!wanted.every((variable) => env.includes(variable))) continue
    return {
      pid: Number(name),
      argv: listOf(`/proc/${name}/cmdline`),
      cwd: readlinkSync(`/proc/${name}/cwd`),
      env: Object.fromEntries(env.map(splitVariable)),
    }
  }
  throw new Error(`no process has ${wanted.join(' and ')}`)
}

/** The process whose command line holds all of these texts. Throws when there is none. */
export function findByCommand(...texts: readonly string[]): number {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    const command = listOf(`/proc/${name}/cmdline`).join(' ')
    return texts.every((text) => command.includes(text))
  })
  if (found === undefined) throw new Error(`no process runs ${texts.join(' … ')}`)
  return Number(found)
}

const quietMs = 500
const longestMs = 15_000

/** Resolves when a process has used next to no processor time for half a second; after 15 s in any case. */
export async function untilQuiet(pid: number): Promise<void> {
  const until = performance.now() + longestMs
  while (performance.now() < until) {
    const before = processorMs(pid)
    await sleep(quietMs)
    if (processorMs(pid) - before <= 10) return
  }
}

/** The path of a program on PATH, undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/** A file of `/proc` that holds texts with a NUL after each; nothing where the process has gone. */
function listOf(path: string): readonly string[] {
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
