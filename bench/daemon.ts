import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureApi } from './daemon/api-load.ts'
import { clear } from './daemon/clear.ts'
import { fullEffort, quickEffort } from './daemon/effort.ts'
import { isMet, type Report } from './daemon/figure.ts'
import { measureGateway } from './daemon/gateway-load.ts'
import { type Hosting, startHosting } from './daemon/hosting.ts'
import { measureMemory } from './daemon/memory.ts'
import { printReports } from './daemon/print.ts'
import { measureProxyConfig } from './daemon/proxy-config.ts'
import { measurePushes } from './daemon/pushes.ts'
import { requireProgram } from './daemon/stratad.ts'
import { measureWakes } from './daemon/wakes.ts'
import { measureWebhooks } from './daemon/webhooks.ts'
import { describeMachine } from './harness/machine.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const effort = flags.quick ? quickEffort : fullEffort

/** What needs apps on one daemon, and what brings a database of its own; in the order in which they run. */
const onHosting: Readonly<Record<string, (hosting: Hosting, folder: string) => Promise<Report>>> = {
  pushes: (hosting) => measurePushes(hosting, effort),
  webhooks: (hosting) => measureWebhooks(hosting, effort),
  wake: (hosting) => measureWakes(hosting, effort),
  gateway: (hosting, folder) => measureGateway(hosting, folder, effort),
}
const alone: Readonly<Record<string, (folder: string) => Promise<Report>>> = {
  api: (folder) => measureApi(folder, effort),
  proxy: (folder) => measureProxyConfig(folder, effort),
  memory: measureMemory,
}

const names = [...Object.keys(onHosting), ...Object.keys(alone)]
const wanted = flags.only?.split(',') ?? names
const unknown = wanted.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`no scenario ${unknown}: there are ${names.join(', ')}`)
requireProgram()

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'))
// All that was started works in the folder or is named after it; a gateway and apps outlive their daemon.
process.once('exit', () => clear(folder))
process.once('SIGHUP', () => process.exit(129))
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const machine = describeMachine()
const reports = new Map<string, Report>()
const chosen = Object.entries(onHosting).filter(([name]) => wanted.includes(name))
if (chosen.length > 0) {
  const hosting = await startHosting(folder)
  for (const [name, measure] of chosen) await run(name, () => measure(hosting, folder))
  await hosting.stop()
}
for (const [name, measure] of Object.entries(alone)) {
  if (wanted.includes(name)) await run(name, () => measure(folder))
}

const all = [...reports.values()]
if (flags.json) {
  const scenarios = Object.fromEntries(reports)
  console.log(JSON.stringify({ machine, quick: flags.quick, effort, scenarios }, null, 2))
} else {
  printReports(all, machine)
}
for (const line of new Set(all.flatMap(({ absent = [] }) => absent))) {
  console.error(`not measured: ${line}`)
}
const isMissed = all.some(({ figures }) => figures.some((figure) => isMet(figure) === false))
if (flags.check && isMissed) process.exitCode = 1

async function run(name: string, measure: () => Promise<Report>): Promise<void> {
  const startedAt = performance.now()
  reports.set(name, await measure())
  console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}
