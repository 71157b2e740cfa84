import { readFileSync } from 'node:fs'
import { withTemporaryFolder } from '../harness/folders.ts'
import { startLoadProcess } from '../harness/load-process.ts'
import { alternate } from '../harness/rounds.ts'
import type { App } from './app-list.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { cellLength, connectionCounts, type Effort, type Scenario } from './scenarios.ts'
import { databaseFile, type Server, startServer } from './server.ts'

/** The results of one run, by app; each list holds one value per round. */
export interface Measured {
  readonly cells: readonly Cell[]
  readonly startMs: ReadonlyMap<string, readonly number[]>
  /** MiB, after all load. */
  readonly residentMb: ReadonlyMap<string, number>
  /** Journal mode, read from the header of the database file. */
  readonly journal: ReadonlyMap<string, 'wal' | 'rollback'>
}

export interface Cell {
  readonly scenario: Scenario['name']
  readonly connections: number
  readonly results: ReadonlyMap<string, readonly CellResult[]>
}

export interface CellResult extends LoadResult {
  /** Processor time of the server alone. Varies less than the elapsed time on a busy machine. */
  readonly cpuMsPerRequest: number
}

/** The requests to measure, and the rows that they need. */
export interface Workload {
  readonly scenarios: readonly Scenario[]
  /** The path that answers 200 once an app is ready. */
  readonly probe: string
  /** Creates an app's database file in `folder`, before its first timed start. */
  readonly prepare: (app: App, folder: string) => Promise<void> | void
  /**
   * Ensures that a running app has its rows, and returns the ids to request. Throws if the responses of the app differ
   * from the contract.
   */
  readonly seed: (server: Server) => Promise<readonly number[]>
}

export interface MeasureOptions {
  readonly effort: Effort
  /** Tells the peers to use a write-ahead log. */
  readonly wal: boolean
  /** Prints the progress. */
  readonly log: (line: string) => void
}

/** Starts the apps, loads them in alternating rounds and stops them. */
export function measureApps(
  apps: readonly App[],
  workload: Workload,
  options: MeasureOptions,
): Promise<Measured> {
  const { effort, log } = options
  const start = { wal: options.wal, probe: workload.probe }
  const until = performance.now() + effort.budgetMs
  return withTemporaryFolder(async (folder) => {
    for (const app of apps) await workload.prepare(app, folder)
    log('timing starts')
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
  { effort, log }: MeasureOptions,
  until: number,
): Promise<Cell[]> {
  const ids = new Map<string, readonly number[]>()
  for (const server of servers) {
    log(`seeding and checking ${server.key}, ${effort.rows} rows`)
    ids.set(server.key, await seed(server))
  }
  const durationMs = cellLength(
    effort,
    servers.length * scenarios.length,
    until - performance.now(),
  )
  const load = startLoadProcess<LoadJob, LoadResult>(new URL('./load-worker.ts', import.meta.url))
  const cells: Cell[] = []
  try {
    for (const { name, kind, path, expect } of scenarios) {
      for (const connections of connectionCounts) {
        log(`${name}, ${connections} at once, ${Math.round(durationMs)} ms per cell`)
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

/** Byte 18 of a SQLite file is its write version: 2 means a write-ahead log. */
function readJournal(file: string): 'wal' | 'rollback' {
  return readFileSync(file)[18] === 2 ? 'wal' : 'rollback'
}
