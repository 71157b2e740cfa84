import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requirePeers } from './harness/folders.ts'
import { describeMachine, machineLine } from './harness/machine.ts'
import { formatRatio, formatTable } from './harness/table.ts'
import { type App, apps as allApps, baseKey, emittedKey } from './http/app-list.ts'
import { buildApps } from './http/build.ts'
import { type Measured, measureApps } from './http/measure.ts'
import { type Line, reportLines, target, verdicts } from './http/report.ts'
import { fullEffort, quickEffort } from './http/scenarios.ts'

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
// Ends through `exit`, where the servers are killed.
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
  throw new Error(`everything is divided by ${baseKey}: name it in --apps too`)
}

buildApps(apps, flags.build)
const measured = await measureApps(apps, effort, flags.wal, (line) => console.error(line))
const lines = reportLines(apps, measured)
const results = verdicts(lines)

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
  printTable(apps, measured, lines)
  for (const { what, ratio, met } of results) {
    console.log(`${met ? 'met   ' : 'MISSED'}  ${what}: ${formatRatio(ratio)}, owed ${target}`)
  }
}
for (const { title, folder } of missing) console.error(`not measured: ${title}: no ${folder}`)
const incomplete = missing.some(({ key }) => key === emittedKey)
if (incomplete || (flags.check && results.some(({ met }) => !met))) process.exitCode = 1

function printTable(apps: readonly App[], measured: Measured, lines: readonly Line[]): void {
  const base = apps.find(({ key }) => key === baseKey)
  console.log(`\nratios to ${base?.title}, ${effort.rows} users, median of ${effort.rounds} rounds`)
  console.log(`${machineLine()}\n`)
  for (const { key, title, note } of apps) {
    const settings = flags.wal && key !== emittedKey ? ', synchronous=NORMAL (--wal)' : ''
    console.log(`${key}: ${title}; ${note}; journal: ${measured.journal.get(key)}${settings}`)
  }
  const rows = lines.map(({ what, better, ratios }) => [
    `${what} (${better} is better)`,
    ...apps.map(({ key }) => formatRatio(ratios[key])),
  ])
  console.log(`\n${formatTable(['', ...apps.map(({ key }) => key)], rows)}\n`)
  if (new Set(measured.journal.values()).size > 1) {
    console.log(
      'the journals differ: POST compares what each sets up; --wal compares the code alone\n',
    )
  }
}
