import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DaemonError } from '../errors.ts'
import type { CellSpawn } from '../ports.ts'
import type { Groups } from './groups.ts'
import type { Namespace } from './namespaces.ts'
import type { Tools } from './tools.ts'
import { processesOf } from './user-processes.ts'

export interface CellContext {
  readonly uid: number
  readonly namespace: Namespace
  readonly groups: Groups | null
  readonly tools: Tools
}

const maxAttempts = 10

/**
 * Starts a program as the project's user. The chain of tools is stopped at once, moved into its group, and continued:
 * the program's first instruction runs inside. A chain that was faster than the signal is killed and started again.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  options: CellSpawn,
  context: CellContext,
): Promise<ChildProcess> {
  checkProgram(program, options)
  const { groups } = context
  if (!groups) return spawnChain(program, args, options, context)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    groups.open(options.group, options.limits)
    const child = await spawnChain(program, args, options, context)
    const { pid = 0 } = child
    try {
      sendSignal(pid, 'SIGSTOP')
      const state = await stoppedState(pid)
      if (state === 'ended') {
        killOutside(context)
        // The caller would miss an exit that was reported before.
        if (child.exitCode === null && child.signalCode === null) return child
        continue
      }
      if (isTool(pid, context.tools)) {
        await groups.enter(options.group, pid)
        sendSignal(pid, 'SIGCONT')
        return child
      }
      killOutside(context)
    } catch (error) {
      killOutside(context)
      throw error
    }
  }
  throw new DaemonError(
    'transient',
    `can't start ${program} inside its limits: the host is too busy`,
  )
}

async function spawnChain(
  program: string,
  args: readonly string[],
  { cwd, env, stdio, endsWithDaemon }: CellSpawn,
  { uid, namespace, tools }: CellContext,
): Promise<ChildProcess> {
  const { safe, unsafe } = splitVariables(env)
  const child = spawn(
    tools.nsenter,
    [
      ...namespace.enter,
      `--wdns=${cwd}`,
      tools.setpriv,
      `--reuid=${uid}`,
      `--regid=${uid}`,
      '--clear-groups',
      '--no-new-privs',
      '--bounding-set=-all',
      '--inh-caps=-all',
      ...(endsWithDaemon ? ['--pdeathsig=KILL'] : []),
      ...(unsafe.length > 0 ? [tools.env, ...unsafe] : []),
      program,
      ...args,
    ],
    { cwd: '/', env: safe, detached: true, stdio },
  )
  if (child.pid === undefined) {
    const [error] = await once(child, 'error')
    throw error
  }
  child.on('error', () => {})
  return child
}

/**
 * Variables that change how a program is loaded must not reach nsenter and setpriv, which run as root: the program
 * `env` sets them, as the project's user.
 */
function splitVariables(env: CellSpawn['env']) {
  const entries = Object.entries(env)
  const isUnsafe = ([name]: [string, string]) =>
    /^(LD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TMPDIR|TZDIR)$/.test(
      name,
    )
  return {
    safe: Object.fromEntries(entries.filter((entry) => !isUnsafe(entry))),
    unsafe: entries.filter(isUnsafe).map(([name, value]) => `${name}=${value}`),
  }
}

/** Resolves when the process is stopped or has ended. A signal takes effect when the process runs next. */
async function stoppedState(pid: number): Promise<'stopped' | 'ended'> {
  for (let tries = 0; ; tries += 1) {
    const state = readState(pid)
    if (state === 'T' || state === 't') return 'stopped'
    if (state === undefined || state === 'Z' || state === 'X') return 'ended'
    if (tries >= 20) await wait(1)
  }
}

function readState(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).charAt(0)
  } catch {
    return undefined
  }
}

/** Returns true if a process still runs a tool of the chain, and not yet the program. */
function isTool(pid: number, { nsenter, setpriv, env }: Tools): boolean {
  const program = statSync(`/proc/${pid}/exe`)
  return [nsenter, setpriv, env].some((tool) => {
    const { dev, ino } = statSync(tool)
    return program.dev === dev && program.ino === ino
  })
}

/** Kills the processes of the user that are in no group, also detached ones. */
function killOutside({ uid, groups }: CellContext): void {
  for (const pid of processesOf(uid)) if (!groups?.contains(pid)) sendSignal(pid, 'SIGKILL')
}

/** Throws the error of `spawn` for a missing or a not executable program: the chain would only exit with 127. */
function checkProgram(program: string, { cwd, env }: CellSpawn): void {
  if (program.includes('=')) {
    throw new DaemonError(
      'unprocessable',
      `the program ${program} can't be started: rename it without "="`,
    )
  }
  const paths = program.includes('/')
    ? [isAbsolute(program) ? program : join(cwd, program)]
    : (env.PATH ?? '').split(':').map((folder) => resolve(cwd, folder, program))
  const codes = paths.map(accessCode)
  if (codes.includes(undefined)) return
  const code = codes.includes('EACCES') ? 'EACCES' : 'ENOENT'
  throw Object.assign(new Error(`spawn ${program} ${code}`), { code })
}

function accessCode(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() ? undefined : 'EACCES'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'EACCES' : 'ENOENT'
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
