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
import { peerProgram } from './peers.ts'
import { processorMs, residentMb, untilQuiet } from './processes.ts'
import { seed } from './seed.ts'
import { startStratad } from './stratad.ts'
import { type Load, warmUp, withLoad } from './with-load.ts'

const size = { projects: 40, environments: 6_000, auditRows: 30_000 }
const callerCounts = [1, 8, 32]
const heartbeatTarget = { connections: 32, atLeast: 5_000 }

/** Measures heartbeats and audit queries per second, on a database the size of a busy host's. */
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
    return { figures: [...figures, { what: 'memory, daemon, after this load', value, unit: 'MB' }] }
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
  const medianOf = (read: (result: Result) => number) => median(of.map(read))
  const hasTarget = key === 'heartbeat' && connections === heartbeatTarget.connections
  const { atLeast } = heartbeatTarget
  const p99 = medianOf(({ p99Ms }) => p99Ms).toFixed(1)
  const cpu = medianOf(({ cpuMs }) => cpuMs).toFixed(3)
  const own = (medianOf(({ ownShare }) => ownShare) * 100).toFixed(0)
  return {
    what: `${key}, ${connections} callers`,
    value: medianOf(rate),
    unit: 'req/s',
    ...(hasTarget && { target: { atLeast } }),
    ratio: { times: pairedRatio(of.map(rate), bare.map(rate)), to: 'a bare node:http' },
    of: `p99 ${p99} ms, CPU ${cpu} ms per request; load generator: ${own} % of a core`,
  }
}

function rate({ requestsPerSecond }: Result): number {
  return requestsPerSecond
}
