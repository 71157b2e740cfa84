import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { benchFolder } from '../harness/folders.ts'
import type { App } from './app-list.ts'

export interface Server {
  readonly key: string
  readonly port: number
  /** Milliseconds from spawn to the first 200 on the probe path. */
  readonly startMs: number
  /** Resident memory in MiB, now. */
  readonly residentMb: () => number
  /** Processor time so far in milliseconds; NaN without /proc. */
  readonly cpuMs: () => number
  /** Sends SIGTERM, and SIGKILL after five seconds. */
  readonly stop: () => Promise<void>
}

const startTimeoutMs = 15_000
const stopTimeoutMs = 5_000
const pollMs = 2

/** Returns the path of an app's database file in `folder`. */
export function databaseFile(app: App, folder: string): string {
  return join(folder, `${app.key}.db`)
}

export interface StartOptions {
  /** Tells the peers to use a write-ahead log. */
  readonly wal: boolean
  /** The path that answers 200 once the app is ready. */
  readonly probe: string
}

/** Runs the app's migration, if it has one. */
export function migrate(app: App, folder: string): void {
  if (app.migration === undefined) return
  const argv = [
    join(benchFolder, 'apps/migrate.js'),
    `file:${databaseFile(app, folder)}`,
    join(app.folder, app.migration),
  ]
  execFileSync(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Starts an app on a free port. Throws with the end of the log if the start fails. */
export async function startServer(
  app: App,
  folder: string,
  { wal, probe }: StartOptions,
): Promise<Server> {
  const port = await freePort()
  const logFile = join(folder, `${app.key}.log`)
  // Logs go to a file, as under a service manager: reading a pipe would cost time during the measurement.
  const log = openSync(logFile, 'w')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [app.entry], {
    cwd: app.folder,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `file:${databaseFile(app, folder)}`,
      ...(wal ? { BENCH_WAL: '1' } : {}),
      ...app.env?.(folder),
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const exited = once(child, 'exit')
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)

  while (!(await answers(port, probe))) {
    const elapsedMs = performance.now() - startedAt
    if (child.exitCode !== null || child.signalCode !== null || elapsedMs > startTimeoutMs) {
      killOnExit()
      const end = readFileSync(logFile, 'utf8').slice(-2_000)
      throw new Error(`${app.title} did not answer GET ${probe} with 200:\n${end}`)
    }
    await sleep(pollMs)
  }
  const startMs = performance.now() - startedAt

  return {
    key: app.key,
    port,
    startMs,
    residentMb: () => residentKb(child.pid) / 1024,
    cpuMs: () => processorMs(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      const force = setTimeout(killOnExit, stopTimeoutMs)
      await exited
      clearTimeout(force)
      process.removeListener('exit', killOnExit)
    },
  }
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const req = request({ port, path, host: '127.0.0.1', agent: false }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode === 200))
    })
    req.on('error', () => resolve(false))
    req.end()
  })
}

function residentKb(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

/** Linux counts user and system time in ticks of 10 ms: fields 14 and 15 of /proc/<pid>/stat. */
function processorMs(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
