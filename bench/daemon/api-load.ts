import { join } from 'node:path'
import { alternate } from '../harness/rounds.ts'
import { median, pairedRatio } from '../harness/stats.ts'
import { audits } from './audits.ts'
import { startBare } from './bare-start.ts'
import type { Effort } from './effort.ts'
import type { Figure, Report } from './figure.ts'
import { get } from './get.ts'
import { heartbeats, ok, untilAllCounted } from './heartbeats.ts'
import type { LoadRequest, LoadResult } from './load.ts'
import { type Load, warmUp, withLoad } from './load-process.ts'
import { peerProgram } from './peers.ts'
import { processorMs, residentMb, untilQuiet } from './processes.ts'
import { seed } from './seed.ts'
import { startStratad } from './stratad.ts'

const size = { projects: 40, environments: 6_000, auditRows: 30_000 }
const callerCounts = [1, 8, 32]
const heartbeatsOwed = { connections: 32, atLeast: 5_000 }

/** Requests a second of what an outside proxy and a dashboard ask for all day, on a database of a busy host. */
export async function measureApi(folder: string, effort: Effort): Promise<Report> {
  const dataDir = join(folder, 'api')
  const seeded = await seed(dataDir, size)
  const daemon = await startStratad(dataDir)
  const program = peerProgram('bare.js', { BODY: ok })
  const bare = await startBare(program, { path: '/', isRight: (text) => text === ok })
  try {
    await untilQuiet(daemon.pid)
    const subjects: readonly Subject[] = [
      { ...bare, key: 'bare', requests: [{ text: get('/'), status: 200, body: ok }] },
      { ...daemon, key: 'heartbeat', requests: heartbeats(seeded) },
      { ...daemon, key: 'audit', requests: await audits(daemon, seeded, size.auditRows) },
    ]
    const figures = await withLoad((load) => loadAll(subjects, load, effort))
    const value = residentMb(daemon.pid)
    await untilAllCounted(daemon, seeded)
    return { figures: [...figures, { what: 'memory, daemon, after these', value, unit: 'MB' }] }
  } finally {
    await bare.stop()
    await daemon.stop()
  }
}

interface Subject {
  readonly key: 'bare' | 'heartbeat' | 'audit'
  readonly port: number
  readonly pid: number
  readonly requests: readonly LoadRequest[]
}

interface Result extends LoadResult {
  readonly cpuMs: number
}

async function loadAll(
  subjects: readonly Subject[],
  load: Load,
  effort: Effort,
): Promise<readonly Figure[]> {
  for (const { port, requests } of subjects) {
    await warmUp(load, { port, requests, durationMs: effort.warmUpMs })
  }
  const figures = { heartbeat: [] as Figure[], audit: [] as Figure[] }
  for (const connections of callerCounts) {
    const results = await alternate(subjects, effort.loadRounds, async (subject) => {
      const { port, pid, requests } = subject
      const before = processorMs(pid)
      const result = await load({ port, connections, durationMs: effort.loadCellMs, requests })
      return { ...result, cpuMs: (processorMs(pid) - before) / result.count }
    })
    const bare = results.get('bare') ?? []
    for (const key of ['heartbeat', 'audit'] as const) {
      figures[key].push(figureOf(key, connections, { of: results.get(key) ?? [], bare }))
    }
  }
  return [...figures.heartbeat, ...figures.audit]
}

function figureOf(
  key: 'heartbeat' | 'audit',
  connections: number,
  { of, bare }: { of: readonly Result[]; bare: readonly Result[] },
): Figure {
  const middle = (one: (result: Result) => number) => median(of.map(one))
  const isOwed = key === 'heartbeat' && connections === heartbeatsOwed.connections
  const { atLeast } = heartbeatsOwed
  const p99 = middle(({ p99Ms }) => p99Ms).toFixed(1)
  const cpu = middle(({ cpuMs }) => cpuMs).toFixed(3)
  const own = (middle(({ ownShare }) => ownShare) * 100).toFixed(0)
  return {
    what: `${key}, ${connections} callers`,
    value: middle(rate),
    unit: 'req/s',
    ...(isOwed && { target: { atLeast } }),
    ratio: { times: pairedRatio(of.map(rate), bare.map(rate)), to: 'a bare node:http' },
    of: `p99 ${p99} ms, CPU ${cpu} ms a request; the load ${own} % of a core`,
  }
}

function rate({ requestsPerSecond }: Result): number {
  return requestsPerSecond
}
