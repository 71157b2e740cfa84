import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { ask } from './ask.ts'

export interface Program {
  readonly argv: readonly string[]
  readonly cwd: string
  /** The environment without `PORT`. */
  readonly env: Readonly<Record<string, string>>
}

export interface Started {
  readonly pid: number
  readonly port: number
  /** Milliseconds from spawn to the last byte of the first correct response. */
  readonly ms: number
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) kill(child)
})

const startTimeoutMs = 30_000
const pollMs = 2

export interface StartOptions {
  /** The path to poll. */
  readonly path: string
  readonly isRight: (text: string) => boolean
  /** For a program whose configuration contains the port; default: a free port. */
  readonly port?: number
}

/** Starts a program with `PORT` and waits for its first correct response. Throws if none comes in time. */
export async function startBare(
  { argv, cwd, env }: Program,
  { path, isRight, port: given }: StartOptions,
): Promise<Started> {
  const port = given ?? (await freePort())
  const [program = '', ...args] = argv
  const log = openSync('/dev/null', 'w')
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', log, log],
    // Starts a separate session, as the daemon does: the program gets its own share of the
    // processor, and its workers are killed with it.
    detached: true,
  })
  closeSync(log)
  running.add(child)
  const stop = () => terminate(child)
  while (!(await answers(port, path, isRight))) {
    if (hasEnded(child) || performance.now() - startedAt > startTimeoutMs) {
      await stop()
      throw new Error(`${argv.join(' ')} in ${cwd} did not answer ${path}`)
    }
    await sleep(pollMs)
  }
  return { pid: child.pid ?? Number.NaN, port, ms: performance.now() - startedAt, stop }
}

async function terminate(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  kill(child)
  await exited
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has already exited.
  }
}

async function answers(port: number, path: string, isRight: (text: string) => boolean) {
  // The program may not listen yet.
  const answer = await ask(port, { path }).catch(() => undefined)
  return answer?.status === 200 && isRight(answer.text)
}
