import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'

/** A started program. */
export interface Program {
  kill(signal: NodeJS.Signals): void
  hasEnded(): boolean
  /** Settles when the program and its child processes have ended. Rejects if the program could not start. */
  readonly ended: Promise<unknown>
  /** Returns the end of the output. */
  output(): string
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  /** The working folder. Default: the folder for temporary files. */
  readonly folder?: string
  /** Runs the program as `nobody`, for programs that refuse to run as root. */
  readonly isForNobody?: boolean
}

/** The user id and group id of `nobody`. */
export const nobody = 65_534

const longestOutput = 20_000

/** Starts a program. If `setpriv` is installed, the kernel kills the program when this process ends. */
export function launch({
  program,
  args,
  folder = tmpdir(),
  isForNobody = false,
}: Command): Program {
  const [command, ...rest] = [...wrapper(isForNobody), program, ...args]
  const child = spawn(command, rest, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    kill: (signal) => child.kill(signal),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended: once(child, 'close'),
    output: collect(child),
  }
}

/** Runs a program to its end. Throws its output if the exit code is not 0. */
export async function runToEnd(command: Command): Promise<void> {
  const { ended, output } = launch(command)
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`${command.program} ended with ${code}: ${output()}`)
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

export const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0

function wrapper(isForNobody: boolean): [string, ...string[]] | [] {
  if (!hasSetpriv) return []
  const identity = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  return ['setpriv', '--pdeathsig', 'KILL', ...(isForNobody && isRoot() ? identity : [])]
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-longestOutput)
    })
  }
  return () => text
}
