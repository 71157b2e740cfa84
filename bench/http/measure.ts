import { readFileSync } from 'node:fs'
import { withTemporaryFolder } from '../harness/folders.ts'
import { alternate } from '../harness/rounds.ts'
import type { App } from './app-list.ts'
import type { LoadResult } from './load.ts'
import { startLoadProcess } from './load-process.ts'
import { cellLength, connectionCounts, type Effort, type Scenario, scenarios } from './scenarios.ts'
import { seedUsers } from './seed.ts'
import { databaseFile, migrate, type Server, startServer } from './server.ts'

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

/** Starts the apps, loads them in alternating rounds and stops them. `say` tells how far it is. */
export function measureApps(
  apps: readonly App[],
  effort: Effort,
  wal: boolean,
  say: (line: string) => void,
): Promise<Measured> {
  const until = performance.now() + effort.budgetMs
  return withTemporaryFolder(async (folder) => {
    for (const app of apps) migrate(app, folder)
    say('timing starts')
    const startMs = await alternate(apps, effort.startRounds, async (app) => {
      const server = await startServer(app, folder, wal)
      await server.stop()
      return server.startMs
    })
    const servers: Server[] = []
    try {
      for (const app of apps) servers.push(await startServer(app, folder, wal))
      const cells = await loadServers(servers, effort, until, say)
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
  effort: Effort,
  until: number,
  say: (line: string) => void,
): Promise<Cell[]> {
  const ids = new Map<string, readonly number[]>()
  for (const server of servers) {
    say(`seeding ${server.key} with ${effort.rows} users`)
    ids.set(server.key, await seedUsers(server, effort.rows))
  }
  const durationMs = cellLength(effort, servers.length, until - performance.now())
  const load = startLoadProcess()
  const cells: Cell[] = []
  try {
    for (const { name, kind, expect } of scenarios) {
      for (const connections of connectionCounts) {
        say(`${name}, ${connections} at once, ${Math.round(durationMs)} ms a cell`)
        const results = await alternate(servers, effort.rounds, async ({ key, port, cpuMs }) => {
          const requests = kind === 'get' ? { kind, ids: ids.get(key) ?? [] } : { kind }
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
