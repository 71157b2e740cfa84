import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppUnderTest } from '../../apps/suite/check.ts'
import { freePort } from '../free-port.ts'
import { eventually } from './eventually.ts'

export interface BootOptions {
  /** The working directory. */
  readonly folder: string
  /** For example `[process.execPath, '--import', 'tsx', 'src/main.ts']`. */
  readonly argv: readonly string[]
  /**
   * Settings of the application. Defaults: a free PORT, the loopback HOST, a random JWT_SECRET,
   * a new DATABASE_URL and UPLOAD_DIR that are removed with the process. Undefined omits a
   * setting.
   */
  readonly env?: Settings
  /** Called on each write with everything written to stdout so far. */
  readonly onStdout?: (text: string) => void
}

export type Settings = Readonly<Record<string, string | undefined>>

export interface BootedApp extends AppUnderTest {
  /** Sends SIGTERM and waits; sends SIGKILL if the process does not exit. */
  readonly stop: () => Promise<Exit>
  /** Sends SIGTERM and returns at once. */
  readonly terminate: () => void
  /** Sends SIGKILL and waits. */
  readonly kill: () => Promise<Exit>
  /** Waits for the exit; undefined if the process still runs after that time. */
  readonly exitWithin: (withinMs: number) => Promise<Exit | undefined>
  /** Everything written so far to stdout and stderr. */
  readonly output: () => string
  /** Everything written so far to stdout. */
  readonly stdout: () => string
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const healthyWithinMs = 60_000
const stopWithinMs = 15_000
const endWithinMs = 60_000

/**
 * Starts an application and waits until `GET /health` answers 200. Throws with its output if it
 * exits or does not answer.
 */
export async function bootApp(options: BootOptions): Promise<BootedApp> {
  const env = { PORT: String(await freePort()), ...options.env }
  const running = await start({ ...options, env })
  const baseUrl = `http://127.0.0.1:${env.PORT ?? 8080}`
  const isUp = (): Promise<boolean> => isHealthy(baseUrl)
  const hasEnded = (): boolean => running.exit() !== undefined
  await eventually(async () => hasEnded() || (await isUp()), healthyWithinMs)
  if (hasEnded() || !(await isUp())) {
    await running.kill()
    throw new Error(`${options.argv.join(' ')} did not become healthy: ${running.output()}`)
  }
  const exitWithin = async (withinMs: number): Promise<Exit | undefined> => {
    await eventually(hasEnded, withinMs)
    return running.exit()
  }
  let isAsked = false
  const terminate = (): void => {
    isAsked = true
    running.terminate()
  }
  return {
    baseUrl,
    terminate,
    kill: running.kill,
    exitWithin,
    stop: async () => {
      if (!isAsked) {
        terminate()
        await exitWithin(stopWithinMs)
      }
      return running.kill()
    },
    output: running.output,
    stdout: running.stdout,
  }
}

/** Starts an application that should exit by itself, and kills it if it does not. */
export async function runToExit(options: BootOptions): Promise<Exit> {
  const env = { PORT: String(await freePort()), ...options.env }
  const running = await start({ ...options, env })
  await eventually(() => running.exit() !== undefined, endWithinMs)
  return running.kill()
}

interface Running {
  readonly terminate: () => void
  readonly exit: () => Exit | undefined
  /** Kills the process if needed and removes its files. */
  readonly kill: () => Promise<Exit>
  readonly output: () => string
  readonly stdout: () => string
}

async function start({ folder, argv, env, onStdout }: BootOptions): Promise<Running> {
  const data = await mkdtemp(join(tmpdir(), 'conformance-'))
  const { PATH, HOME } = process.env
  const defaults = {
    HOST: '127.0.0.1',
    DATABASE_URL: `file:${join(data, 'app.db')}`,
    UPLOAD_DIR: join(data, 'uploads'),
    JWT_SECRET: randomBytes(32).toString('hex'),
  }
  const [command = process.execPath, ...args] = argv
  const settings = Object.entries({ PATH, HOME, ...defaults, ...env })
  const child = spawn(command, args, {
    cwd: folder,
    env: Object.fromEntries(settings.filter(([, value]) => value !== undefined)),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { exit, output, stdout, closed } = watch(child)
  child.stdout?.on('data', () => onStdout?.(stdout()))
  const abandon = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', abandon)
  return {
    exit,
    output,
    stdout,
    terminate: () => {
      child.kill('SIGTERM')
    },
    kill: async () => {
      if (exit() === undefined) child.kill('SIGKILL')
      const end = await closed
      process.off('exit', abandon)
      await rm(data, { recursive: true, force: true })
      return end
    },
  }
}

function watch(child: ChildProcess) {
  const all: string[] = []
  const out: string[] = []
  const err: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => all.push(text) && out.push(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => all.push(text) && err.push(text))
  let ended: Exit | undefined
  const closed = new Promise<Exit>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      ended = { code, signal, stdout: out.join(''), stderr: err.join('') }
      resolve(ended)
    }
    child.once('close', finish)
    child.once('error', (error) => {
      err.push(error.message)
      finish(null, null)
    })
  })
  return {
    exit: () => ended,
    closed,
    output: () => all.join(''),
    stdout: () => out.join(''),
  }
}

async function isHealthy(baseUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2000)
    const { status } = await fetch(`${baseUrl}/health`, {
      signal,
      headers: { connection: 'close' },
    })
    return status === 200
  } catch {
    return false // not listening yet
  }
}
