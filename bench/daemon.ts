import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compareBuilds } from './daemon/against.ts'
import { measureApi } from './daemon/api-load.ts'
import { clear } from './daemon/clear.ts'
import { measureDocker } from './daemon/docker.ts'
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
    against: { type: 'string' },
  },
})
const effort = flags.quick ? quickEffort : fullEffort

/** Scenarios that share one daemon with deployed apps, in the order in which they run. */
const sharedScenarios: Readonly<
  Record<string, (hosting: Hosting, folder: string) => Promise<Report>>
> = {
  pushes: (hosting) => measurePushes(hosting, effort),
  webhooks: (hosting) => measureWebhooks(hosting, effort),
  wake: (hosting) => measureWakes(hosting, effort),
  gateway: (hosting, folder) => measureGateway(hosting, folder, effort),
}
/** Scenarios that start a daemon of their own on a seeded database. They run after the shared ones. */
const separateScenarios: Readonly<Record<string, (folder: string) => Promise<Report>>> = {
  api: (folder) => measureApi(folder, effort),
  proxy: (folder) => measureProxyConfig(folder, effort),
  memory: measureMemory,
  docker: (folder) => measureDocker(folder, effort),
}

const names = [...Object.keys(sharedScenarios), ...Object.keys(separateScenarios)]
const wanted = flags.only?.split(',') ?? names
const unknown = wanted.find((name) => !names.includes(name))
if (unknown !== undefined)
  throw new Error(`unknown scenario ${unknown}: expected ${names.join(', ')}`)
requireProgram()

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'))
// Gateway and apps outlive their daemon: `clear` finds every process by the folder in its arguments or working directory.
process.once('exit', () => clear(folder))
process.once('SIGHUP', () => process.exit(129))
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (flags.against !== undefined) {
  const isMet = await compareBuilds(folder, resolve(flags.against), effort)
  process.exit(flags.check && !isMet ? 1 : 0)
}

const machine = describeMachine()
const reports = new Map<string, Report>()
const chosen = Object.entries(sharedScenarios).filter(([name]) => wanted.includes(name))
if (chosen.length > 0) {
  const hosting = await startHosting(folder)
  for (const [name, measure] of chosen) await run(name, () => measure(hosting, folder))
  await hosting.stop()
}
for (const [name, measure] of Object.entries(separateScenarios)) {
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
