import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requirePeers } from './harness/folders.ts'
import { describeMachine } from './harness/machine.ts'
import { type App, emittedKey } from './http/app-list.ts'
import { blogApps, blogTargets } from './http/blog-apps.ts'
import { mustServeBlog } from './http/blog-check.ts'
import { blogRows } from './http/blog-rows.ts'
import { blogScenarios, fullBlogEffort, postsPath, quickBlogEffort } from './http/blog-scenarios.ts'
import { seedBlog } from './http/blog-seed.ts'
import { buildApps } from './http/build.ts'
import { measureApps, type Workload } from './http/measure.ts'
import { printMissing, printTable, printVerdicts } from './http/print.ts'
import { type Line, reportLines, verdicts } from './http/report.ts'
import { databaseFile, migrate, startServer } from './http/server.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    wal: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    emitted: { type: 'string' },
  },
})
const { wal, quick } = flags
const effort = quick ? quickBlogEffort : fullBlogEffort

requirePeers()
// `process.exit` runs the exit handlers, which kill the servers.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const chosen = blogApps.map((app) =>
  app.key === emittedKey && flags.emitted ? { ...app, folder: resolve(flags.emitted) } : app,
)
const missing = chosen.filter(({ folder }) => !existsSync(folder))
const apps = chosen.filter((app) => !missing.includes(app))

buildApps(apps, flags.build)
const rows = blogRows(effort.rows)
const probe = `${postsPath}?page=1&page_size=1`
const workload: Workload = {
  scenarios: blogScenarios,
  probe,
  prepare,
  seed: async (server) => {
    await mustServeBlog(server, rows)
    return rows.posts.map(({ id }) => id)
  },
}
const measured = await measureApps(apps, workload, { effort, wal, log: console.error })
const compared = blogTargets.map(({ baseKey, target, owedOn }) => {
  const lines = reportLines(apps, measured, baseKey)
  return { baseKey, target, lines, results: verdicts(lines.filter(isOwed(owedOn)), target) }
})

if (flags.json) {
  const journal = Object.fromEntries(measured.journal)
  const absent = missing.map(({ key }) => key)
  console.log(
    JSON.stringify(
      { machine: describeMachine(), wal, quick, effort, journal, absent, compared },
      null,
      2,
    ),
  )
} else {
  for (const { baseKey, lines } of compared) {
    printTable({ apps, measured, lines, baseKey, wal, effort, rows: 'posts' })
  }
  for (const { baseKey, target, results } of compared) {
    printVerdicts(results, target, ` × ${baseKey}`)
  }
}
printMissing(missing)
const incomplete = missing.some(({ key }) => key === emittedKey)
const missed = compared.some(({ results }) => results.some(({ met }) => !met))
if (incomplete || (flags.check && missed)) process.exitCode = 1

/** Creates the tables and the rows. The emitted app creates its tables at its first start, the peers by a migration. */
async function prepare(app: App, folder: string): Promise<void> {
  migrate(app, folder)
  if (app.migration === undefined) {
    const server = await startServer(app, folder, { wal, probe })
    await server.stop()
  }
  await seedBlog(databaseFile(app, folder), rows)
}

/** Returns a filter for the lines that have a target; other lines are only reported. */
function isOwed(names: readonly string[]): (line: Line) => boolean {
  return ({ what }) => names.some((name) => what.startsWith(`${name} ×`))
}
