import { join } from 'node:path'
import { alternate } from '../harness/rounds.ts'
import { median, pairedRatio } from '../harness/stats.ts'
import type { Effort } from './effort.ts'
import type { RatioTable, Report } from './figure.ts'
import { get } from './get.ts'
import type { Deployed, Hosting } from './hosting.ts'
import type { LoadResult } from './load.ts'
import { childrenOf, processorMs } from './processes.ts'
import { startProxies } from './proxies.ts'
import { noEmitted } from './wakes.ts'
import { type Load, warmUp, withLoad } from './with-load.ts'

const connectionCounts = [1, 32]

/** Measures requests through the gateway and through peer proxies, as ratios to direct requests to the app. */
export async function measureGateway(
  hosting: Hosting,
  folder: string,
  effort: Effort,
): Promise<Report> {
  const apps = [{ name: 'plain Node app', app: await hosting.plain() }]
  const hasEmitted = effort.emittedWakes > 0
  if (hasEmitted) apps.push({ name: 'emitted user-app', app: await hosting.emitted() })
  const tables: RatioTable[] = []
  const absent = new Set(hasEmitted ? [] : [noEmitted])
  for (const { name, app } of apps) {
    const awake = await hosting.awake(app)
    const { started, missing } = await startProxies(join(folder, 'proxies'), awake)
    for (const line of missing) absent.add(line)
    try {
      const { gatewayPort: port, gatewayPid: pid } = hosting.daemon
      const subjects = [
        { key: 'direct', port: awake.port },
        { key: 'strata', port, pid },
        ...started,
      ]
      tables.push(await withLoad((load) => loadAll(name, awake, { subjects, load, effort })))
    } finally {
      await Promise.all(started.map(({ stop }) => stop()))
    }
  }
  return { figures: [], tables, absent: [...absent] }
}

interface Subject {
  readonly key: string
  readonly port: number
  /** Process of the proxy; undefined for direct requests. */
  readonly pid?: number
}

interface Result extends LoadResult {
  /** Processor time of the proxy per request. */
  readonly cpuMs: number
}

async function loadAll(
  name: string,
  { host, path, text: body }: Deployed,
  { subjects, load, effort }: { subjects: readonly Subject[]; load: Load; effort: Effort },
): Promise<RatioTable> {
  const requests = [{ text: get(path, { host }), status: 200, body }]
  const rows: { what: string; values: readonly number[] }[] = []
  for (const { port } of subjects) {
    await warmUp(load, { port, requests, durationMs: effort.warmUpMs })
  }
  for (const connections of connectionCounts) {
    const results = await alternate(subjects, effort.gatewayRounds, async ({ port, pid }) => {
      const before = cpuOf(pid)
      const job = { port, connections, durationMs: effort.gatewayCellMs, requests }
      const result = await load(job)
      return { ...result, cpuMs: (cpuOf(pid) - before) / result.count }
    })
    const direct = results.get('direct') ?? []
    for (const [what, cell] of Object.entries(cells)) {
      const values = subjects.map(({ key }) => cell(results.get(key) ?? [], direct))
      rows.push({ what: `×${connections} ${what}`, values })
    }
  }
  return {
    title: `gateway, ${name}, ${Buffer.byteLength(body)} bytes, ${effort.gatewayRounds} rounds`,
    head: ['', ...subjects.map(({ key }) => key)],
    rows,
  }
}

/** The lines of a table, computed from the rounds of one subject and the rounds of direct requests. */
const cells: Readonly<
  Record<string, (of: readonly Result[], direct: readonly Result[]) => number>
> = {
  'req/s': (of) => median(of.map(rate)),
  'req/s, ratio to direct': (of, direct) => pairedRatio(of.map(rate), direct.map(rate)),
  'added p50, ms': (of, direct) => median(of.map(p50)) - median(direct.map(p50)),
  'p50, ratio to direct': (of, direct) => pairedRatio(of.map(p50), direct.map(p50)),
  'p99, ratio to direct': (of, direct) => pairedRatio(of.map(p99), direct.map(p99)),
  'responses, minimum per round': (of) => Math.min(...of.map(({ count }) => count)),
  'CPU per request, ms': (of) => median(of.map(({ cpuMs }) => cpuMs)),
  'load generator, share of a core': (of) => median(of.map(({ ownShare }) => ownShare)),
}

function rate(result: Result): number {
  return result.requestsPerSecond
}

function p50(result: Result): number {
  return result.p50Ms
}

function p99(result: Result): number {
  return result.p99Ms
}

/** Returns the processor time of a proxy and its workers; NaN for direct requests. */
function cpuOf(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  return [pid, ...childrenOf(pid)].map(processorMs).reduce((sum, ms) => sum + ms, 0)
}
