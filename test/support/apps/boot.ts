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
  /** `[process.execPath, '--import', 'tsx', 'src/main.ts']`, say. */
  readonly argv: readonly string[]
  /**
   * Settings of the application. Without them PORT is a free port, HOST the loopback, JWT_SECRET
   * random, and DATABASE_URL and UPLOAD_DIR fresh, gone again with the process. Undefined leaves a
   * setting out.
   */
  readonly env?: Settings
  /** Gets all that it has written to its standard output, whenever it writes. */
  readonly onStdout?: (text: string) => void
}

export type Settings = Readonly<Record<string, string | undefined>>

export interface BootedApp extends AppUnderTest {
  /** Sends SIGTERM and waits; SIGKILL when that is not enough, or was sent in vain before. */
  readonly stop: () => Promise<Exit>
  /** Sends SIGTERM and returns at once. */
  readonly terminate: () => void
  /** Sends SIGKILL and waits. */
  readonly kill: () => Promise<Exit>
  /** How the process ended; undefined when it still runs after that time. */
  readonly exitWithin: (withinMs: number) => Promise<Exit | undefined>
  /** All it has written so far, both streams. */
  readonly output: () => string
  /** What it has written to its standard output so far. */
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
 * Starts an application and waits until `GET /health` answers 200. Throws, with its output, when it
 * ends or stays silent instead.
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

/** Starts an application that is expected to end by itself; one that does not is killed. */
export async function runToExit(options: BootOptions): Promise<Exit> {
  const env = { PORT: String(await freePort()), ...options.env }
  const running = await start({ ...options, env })
  await eventually(() => running.exit() !== undefined, endWithinMs)
  return running.kill()
}

interface Running {
  readonly terminate: () => void
  readonly exit: () => Exit | undefined
  /** Makes sure that it has ended, and clears up. */
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
