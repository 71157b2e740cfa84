import { readFileSync } from 'node:fs'
import { withTemporaryFolder } from '../harness/folders.ts'
import { alternate } from '../harness/rounds.ts'
import type { App } from './app-list.ts'
import type { LoadResult } from './load.ts'
import { startLoadProcess } from './load-process.ts'
import { cellLength, connectionCounts, type Effort, type Scenario } from './scenarios.ts'
import { databaseFile, type Server, startServer } from './server.ts'

/** Everything measured in one run; each list holds one value a round, keyed by app. */
export interface Measured {
  readonly cells: readonly Cell[]
  readonly startMs: ReadonlyMap<string, readonly number[]>
  /** After the whole load, MiB. */
  readonly residentMb: ReadonlyMap<string, number>
  /** What the app's file really used, read from its header. */
  readonly journal: ReadonlyMap<string, 'wal' | 'rollback'>
}

export interface Cell {
  readonly scenario: Scenario['name']
  readonly connections: number
  readonly results: ReadonlyMap<string, readonly CellResult[]>
}

export interface CellResult extends LoadResult {
  /** Of the server, not of the load. Steadier than the clock while others use the machine. */
  readonly cpuMsPerRequest: number
}

/** What is asked of the apps, and what stands in their tables meanwhile. */
export interface Workload {
  readonly scenarios: readonly Scenario[]
  /** The path that answers 200 once an app serves. */
  readonly probe: string
  /** Makes an app's database file in `folder`, before its first timed start. */
  readonly prepare: (app: App, folder: string) => Promise<void> | void
  /**
   * Sees to the rows of a running app and gives the ids to ask for. Throws when its answers are not
   * the ones the others give.
   */
  readonly seed: (server: Server) => Promise<readonly number[]>
}

export interface MeasureOptions {
  readonly effort: Effort
  /** Gives the peers a write-ahead log. */
  readonly wal: boolean
  /** Tells how far it is. */
  readonly say: (line: string) => void
}

/** Starts the apps, loads them in alternating rounds and stops them. */
export function measureApps(
  apps: readonly App[],
  workload: Workload,
  options: MeasureOptions,
): Promise<Measured> {
  const { effort, say } = options
  const start = { wal: options.wal, probe: workload.probe }
  const until = performance.now() + effort.budgetMs
  return withTemporaryFolder(async (folder) => {
    for (const app of apps) await workload.prepare(app, folder)
    say('timing starts')
    const startMs = await alternate(apps, effort.startRounds, async (app) => {
      const server = await startServer(app, folder, start)
      await server.stop()
      return server.startMs
    })
    const servers: Server[] = []
    try {
      for (const app of apps) servers.push(await startServer(app, folder, start))
      const cells = await loadServers(servers, workload, options, until)
      return {
        cells,
        startMs,
        residentMb: new Map(servers.map((server) => [server.key, server.residentMb()])),
        journal: new Map(apps.map((app) => [app.key, readJournal(databaseFile(app, folder))])),
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })
}

async function loadServers(
  servers: readonly Server[],
  { scenarios, seed }: Workload,
  { effort, say }: MeasureOptions,
  until: number,
): Promise<Cell[]> {
  const ids = new Map<string, readonly number[]>()
  for (const server of servers) {
    say(`seeding and checking ${server.key}, ${effort.rows} rows`)
    ids.set(server.key, await seed(server))
  }
  const durationMs = cellLength(
    effort,
    servers.length * scenarios.length,
    until - performance.now(),
  )
  const load = startLoadProcess()
  const cells: Cell[] = []
  try {
    for (const { name, kind, path, expect } of scenarios) {
      for (const connections of connectionCounts) {
        say(`${name}, ${connections} at once, ${Math.round(durationMs)} ms a cell`)
        const results = await alternate(servers, effort.rounds, async ({ key, port, cpuMs }) => {
          const requests = kind === 'get' ? { kind, path, ids: ids.get(key) ?? [] } : { kind, path }
          const before = cpuMs()
          const result = await load.run({ port, connections, durationMs, requests, expect })
          return { ...result, cpuMsPerRequest: (cpuMs() - before) / result.count }
        })
        cells.push({ scenario: name, connections, results })
      }
    }
  } finally {
    load.stop()
  }
  return cells
}

/** Byte 18 of a SQLite file is its write version: 2 for a write-ahead log. */
function readJournal(file: string): 'wal' | 'rollback' {
  return readFileSync(file)[18] === 2 ? 'wal' : 'rollback'
}
