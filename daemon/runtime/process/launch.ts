import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { DaemonError } from '../../errors.ts'
import type { AppSpec } from '../../ports.ts'
import { type ProcessIdentity, readStat } from './proc.ts'

export interface LaunchOptions {
  readonly env: Readonly<Record<string, string>>
  readonly stdout: number | 'ignore'
  readonly stderr: number | 'ignore'
  readonly user: { readonly uid: number; readonly gid: number } | null
  /** Called when the process exists. */
  readonly onSpawn: (pid: number) => void
}

export interface Launched {
  readonly child: ChildProcess
  readonly leader: ProcessIdentity
}

/**
 * Starts an app's program in a new session, so that it outlives the daemon. Throws `unprocessable` if the program or
 * the folder does not exist.
 */
export async function launch(app: AppSpec, options: LaunchOptions): Promise<Launched> {
  const cwd = await workingFolder(app)
  const [program = '', ...args] = app.launch.start
  if (program === '') throw new DaemonError('unprocessable', 'the start command is empty')
  const child = trySpawn(program, args, cwd, options)
  const { pid } = child
  if (pid === undefined) {
    const [error] = await once(child, 'error')
    throw cannotStart(program, error)
  }
  // Read the start time synchronously: /proc keeps the process, even an ended one, until Node reaps it.
  const stat = readStat(pid)
  child.on('error', () => {})
  child.unref()
  options.onSpawn(pid)
  if (!stat) throw new DaemonError('internal', `the process ${pid} is not in /proc`)
  return { child, leader: { pid, startTime: stat.startTime } }
}

function trySpawn(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, stdout, stderr, user }: LaunchOptions,
): ChildProcess {
  try {
    return spawn(program, [...args], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['ignore', stdout, stderr],
      ...user,
    })
  } catch (error) {
    throw cannotStart(program, error)
  }
}

/** Returns the real path of the app's root folder. Throws `unprocessable` if it is outside the release. */
async function workingFolder(app: AppSpec): Promise<string> {
  try {
    const release = await realpath(app.folder)
    const folder = await realpath(join(release, app.launch.root))
    if (folder === release || folder.startsWith(release + sep)) return folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  throw new DaemonError(
    'unprocessable',
    `the start folder ${JSON.stringify(app.launch.root)} is not in the release: check "deploy.root" in strata.json`,
  )
}

function cannotStart(program: string, error: unknown): DaemonError {
  const { code, message } = error as NodeJS.ErrnoException
  const why: Readonly<Record<string, string>> = {
    ENOENT: 'no such program in the release or on PATH',
    EACCES: 'the file is not executable',
    E2BIG: 'the arguments and the environment are too long',
  }
  return new DaemonError(
    'unprocessable',
    `can't start ${JSON.stringify(program)}: ${why[code ?? ''] ?? code ?? message}`,
    { cause: error },
  )
}
