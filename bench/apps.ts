import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requirePeers } from './harness/folders.ts'
import { describeMachine } from './harness/machine.ts'
import { apps as allApps, baseKey, emittedKey } from './http/app-list.ts'
import { buildApps } from './http/build.ts'
import { measureApps } from './http/measure.ts'
import { printMissing, printTable, printVerdicts } from './http/print.ts'
import { reportLines, verdicts } from './http/report.ts'
import { fullEffort, quickEffort, userScenarios } from './http/scenarios.ts'
import { seedUsers } from './http/seed.ts'
import { migrate, type Server } from './http/server.ts'

/** Requests per second of the emitted app that meet the target, as a multiple of the base's. */
const target = 1.5

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    wal: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    apps: { type: 'string' },
    emitted: { type: 'string' },
  },
})
const effort = flags.quick ? quickEffort : fullEffort
const wanted = flags.apps?.split(',')

requirePeers()
// `process.exit` runs the exit handlers, which kill the servers.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const chosen = allApps
  .filter(({ key }) => wanted?.includes(key) ?? true)
  .map((app) =>
    app.key === emittedKey && flags.emitted ? { ...app, folder: resolve(flags.emitted) } : app,
  )
const missing = chosen.filter(({ folder }) => !existsSync(folder))
const apps = chosen.filter((app) => !missing.includes(app))
if (!apps.some(({ key }) => key === baseKey)) {
  throw new Error(`--apps must include ${baseKey}: all ratios are relative to it`)
}

buildApps(apps, flags.build)
const workload = {
  scenarios: userScenarios,
  probe: '/api/v1/users?page=1&page_size=1',
  prepare: migrate,
  seed: (server: Server) => seedUsers(server, effort.rows),
}
const measured = await measureApps(apps, workload, { effort, wal: flags.wal, log: console.error })
const lines = reportLines(apps, measured, baseKey)
const results = verdicts(lines, target)

if (flags.json) {
  const { wal, quick } = flags
  const journal = Object.fromEntries(measured.journal)
  const absent = missing.map(({ key }) => key)
  console.log(
    JSON.stringify(
      { machine: describeMachine(), wal, quick, effort, journal, absent, lines, target, results },
      null,
      2,
    ),
  )
} else {
  printTable({ apps, measured, lines, baseKey, wal: flags.wal, effort, rows: 'users' })
  printVerdicts(results, target)
}
printMissing(missing)
const incomplete = missing.some(({ key }) => key === emittedKey)
if (incomplete || (flags.check && results.some(({ met }) => !met))) process.exitCode = 1
