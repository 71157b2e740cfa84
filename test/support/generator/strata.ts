import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Run {
  /** Exit code of the process; null if a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Numeric id of another user of this machine. */
  readonly uid?: number
}

/** Runs the built `strata` in the folder `cwd` until it ends. */
export function strata(cwd: string, args: readonly string[], options?: RunOptions): Promise<Run> {
  return ended(start(cwd, args, options))
}

/** Starts the built `strata` and leaves it running. */
export function start(
  cwd: string,
  args: readonly string[],
  { env = {}, uid }: RunOptions = {},
): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
}

/** Collects the output of a process until it ends. */
export function ended(child: ChildProcess): Promise<Run> {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
}

export const program = fileURLToPath(new URL('../../../bin/strata.js', import.meta.url))
