import type { ChildProcess } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { expandWords } from '../../domain/start-command.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Cell } from '../../ports.ts'
import { type ProcessIdentity, readStat } from './proc.ts'

export interface LaunchOptions {
  readonly env: Readonly<Record<string, string>>
  readonly stdout: number | 'ignore'
  readonly stderr: number | 'ignore'
}

export interface Launched {
  readonly child: ChildProcess
  readonly leader: ProcessIdentity
}

/**
 * Starts an app's program in its project's cell and in a new session, so that it outlives the daemon. Throws
 * `unprocessable` if the program or the folder does not exist.
 */
export async function launch(
  app: AppSpec,
  cell: Cell,
  { env, stdout, stderr }: LaunchOptions,
): Promise<Launched> {
  const cwd = await workingFolder(app)
  const [program = '', ...args] = startWords(app, env)
  if (program === '') throw new DaemonError('unprocessable', 'the start command is empty')
  const { memoryMb, cpus, pids } = app.launch
  const child = await cell
    .spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', stdout, stderr],
      group: app.name,
      limits: { memoryMb, cpus, pids },
    })
    .catch((error: unknown) => {
      throw error instanceof DaemonError ? error : cannotStart(program, error)
    })
  const { pid = 0 } = child
  // Read the start time synchronously: /proc keeps the process, even an ended one, until Node reaps it.
  const stat = readStat(pid)
  child.unref()
  if (!stat) throw new DaemonError('internal', `the process ${pid} is not in /proc`)
  return { child, leader: { pid, startTime: stat.startTime } }
}

/** Returns the start command with its variables. Throws `unprocessable` if a variable has no value and no default. */
function startWords({ launch }: AppSpec, env: LaunchOptions['env']): readonly string[] {
  if (!launch.startHasVariables) return launch.start
  const expanded = expandWords(launch.start, env)
  if ('words' in expanded) return expanded.words
  throw new DaemonError(
    'unprocessable',
    `the start command uses $${expanded.missing}, which has no value: set it with strata env set ${expanded.missing}, or write \${${expanded.missing}:-default}`,
  )
}

/** Returns the real path of the app's root folder. Throws `unprocessable` if it is outside the release. */
export async function workingFolder(app: AppSpec): Promise<string> {
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

/** Returns the error of a program that does not start. */
export function cannotStart(program: string, error: unknown): DaemonError {
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
