import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogs, type ProcessLogs } from '../../../../daemon/logs/logs.ts'
import type { AppSpec, Clock, InstanceExit } from '../../../../daemon/ports.ts'
import type { InstanceFile } from '../../../../daemon/runtime/process/instance-file.ts'
import { hasEnded, readStat } from '../../../../daemon/runtime/process/proc.ts'
import {
  createProcessRuntime,
  type ProcessRuntime,
  type ProcessRuntimeOptions,
} from '../../../../daemon/runtime/process/process-runtime.ts'
import { createOpenWalls } from '../../../../daemon/walls/open-walls.ts'

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Date.now(),
  wait: (ms, signal) => pause(ms, undefined, { ref: false, ...(signal && { signal }) }),
}

/** Source code of test apps, without dependencies. */
export const programs = {
  server: `
const http = require('node:http')
const server = http.createServer((request, response) => {
  if (request.url === '/crash') { console.error('Error: asked to crash'); process.exit(3) }
  if (request.url === '/broken') { response.statusCode = 500; return response.end('broken') }
  if (request.url === '/moved') { response.statusCode = 302; response.setHeader('location', '/'); return response.end() }
  response.end(JSON.stringify({ pid: process.pid, env: process.env, folder: process.cwd() }))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => { console.log('bye'); server.close(() => process.exit(0)); server.closeAllConnections() })
`,
  idle: 'setInterval(() => {}, 1000)',
  boom: `console.log('starting'); throw new TypeError('no database at all')`,
  stubborn: `process.on('SIGTERM', () => console.log('no')); console.log('ready'); setInterval(() => {}, 1000)`,
  /** A leader, a child in its group and a child in its own session. Prints their pids as JSON. */
  family: `
const { spawn } = require('node:child_process')
const idle = ['-e', 'setInterval(() => {}, 1000)']
const child = spawn(process.execPath, idle, { stdio: 'ignore' })
const away = spawn(process.execPath, idle, { stdio: 'ignore', detached: true })
console.log(JSON.stringify([process.pid, child.pid, away.pid]))
setInterval(() => {}, 1000)
`,
} as const

/** Creates a temporary folder for the data of a daemon and the releases of apps. */
export function temporaryPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-runtime-'))
  const runtimes: ProcessRuntime[] = []
  const notes: string[] = []

  /** Opens the logs and the runtime of a new daemon. */
  function open(options: Partial<ProcessRuntimeOptions> = {}): {
    runtime: ProcessRuntime
    logs: ProcessLogs
    exits: InstanceExit[]
  } {
    const logs = createLogs({ folder: join(folder, 'logs'), clock: realClock })
    const runtime = createProcessRuntime({
      folder: join(folder, 'runtime'),
      clock: realClock,
      logs,
      walls: createOpenWalls('this test needs no walls'),
      ports: { from: 20_000, to: 29_999 },
      report: (note) => notes.push(note),
      ...options,
    })
    const exits: InstanceExit[] = []
    runtime.onExit((exit) => exits.push(exit))
    runtimes.push(runtime)
    return { runtime, logs, exits }
  }

  /** Writes a release with one program. Returns its spec. */
  function app(
    environmentId: number,
    source: string,
    changes: Partial<Omit<AppSpec, 'launch'>> & { launch?: Partial<AppSpec['launch']> } = {},
  ): AppSpec {
    const release = join(folder, 'releases', String(environmentId))
    mkdirSync(release, { recursive: true })
    writeFileSync(join(release, 'app.cjs'), source)
    return {
      name: `strata-${environmentId}`,
      environmentId,
      projectId: 1,
      folder: release,
      env: {},
      ...changes,
      launch: {
        root: '',
        start: ['node', 'app.cjs'],
        health: null,
        healthTimeoutMs: 30_000,
        port: null,
        memoryMb: 256,
        cpus: null,
        pids: 512,
        env: {},
        keepReleases: 3,
        ...changes.launch,
      },
    }
  }

  async function remove(): Promise<void> {
    for (const runtime of runtimes) {
      for (const name of (await runtime.list()).keys()) await runtime.stop(name, 0)
      runtime.close()
    }
    for (const pid of processesIn(folder)) kill(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  const instances = join(folder, 'runtime/instances')

  function readInstance(name: string): InstanceFile {
    return JSON.parse(readFileSync(join(instances, `${name}.json`), 'utf8'))
  }

  return { folder, notes, open, app, remove, instances, readInstance }
}

/** Returns the pids of processes whose working folder is below `folder`. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => workingFolder(pid).startsWith(`${folder}/`))
    .map(Number)
}

/**
 * Returns true until the process has ended. Reads the state, because an exiting process loses its working folder first.
 */
export function isRunning(pid: number): boolean {
  const stat = readStat(pid)
  return stat !== undefined && !hasEnded(stat)
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
