import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert'
import { join } from 'node:path'
import * as z from 'zod'
import { median } from '../harness/stats.ts'
import type { Answer } from './ask.ts'
import type { Effort } from './effort.ts'
import { quantile, type Report } from './figure.ts'
import { get, withToken } from './get.ts'
import type { LoadRequest } from './load.ts'
import { warmUp, withLoad } from './load-process.ts'
import { untilQuiet } from './processes.ts'
import { type Seeded, seed } from './seed.ts'
import { type Stratad, startStratad } from './stratad.ts'

const size = { projects: 40, environments: 10_000, auditRows: 0 }
const path = '/api/v1/proxy/config'
const owedMs = { full: 50, notModified: 2 }

/** The routing of 10,000 environments, as an outside proxy asks for it every few seconds. */
export async function measureProxyConfig(folder: string, effort: Effort): Promise<Report> {
  const dataDir = join(folder, 'proxy')
  const { environments } = await seed(dataDir, size)
  const daemon = await startStratad(dataDir)
  try {
    await untilQuiet(daemon.pid)
    const first = await daemon.call(200, { path })
    mustRoute(first, environments)
    const { port } = daemon
    const [full, notModified] = await withLoad(async (load) => {
      const ask = async (request: LoadRequest) => {
        const requests = [request]
        await warmUp(load, { port, requests, durationMs: effort.warmUpMs / 3 })
        return load({ port, requests, connections: 1, durationMs: effort.loadCellMs * 2 })
      }
      return [
        await ask({ text: get(path, withToken), status: 200, body: first.text }),
        await ask({
          text: get(path, { ...withToken, 'if-none-match': first.etag ?? '' }),
          status: 304,
          body: '',
        }),
      ]
    })
    const afterChangeMs = await changeOften(daemon, environments, effort.routeChanges)
    const kib = Math.round(first.text.length / 1024)
    return {
      figures: [
        {
          what: '/proxy/config, 10,000, p50',
          value: full.p50Ms,
          unit: 'ms',
          of: `${full.count} answers of ${kib} KiB`,
        },
        {
          what: '/proxy/config, 10,000, p99',
          value: full.p99Ms,
          unit: 'ms',
          target: { atMost: owedMs.full },
        },
        { what: '  304, p50', value: notModified.p50Ms, unit: 'ms', of: `${notModified.count}` },
        {
          what: '  304, p99',
          value: notModified.p99Ms,
          unit: 'ms',
          target: { atMost: owedMs.notModified },
        },
        {
          what: '  first after a change, p50',
          value: median(afterChangeMs),
          unit: 'ms',
          target: { atMost: owedMs.full },
          of: `${afterChangeMs.length}, slowest ${quantile(afterChangeMs, 1).toFixed(1)}`,
        },
      ],
    }
  } finally {
    await daemon.stop()
  }
}

/** Destroys one environment after the other and asks at once, with the tag of what was there before. */
async function changeOften(
  daemon: Stratad,
  environments: Seeded['environments'],
  times: number,
): Promise<readonly number[]> {
  const answersMs: number[] = []
  let { etag = '' } = await daemon.call(200, { path })
  for (let index = 0; index < times; index += 1) {
    const [gone, ...left] = environments.slice(index)
    await daemon.call(204, { method: 'DELETE', path: `/api/v1/environments/${gone?.id}` })
    const answer = await daemon.call(200, { path, headers: { 'if-none-match': etag } })
    notStrictEqual(answer.etag, etag)
    mustRoute(answer, left)
    etag = answer.etag ?? ''
    answersMs.push(answer.ms)
  }
  return answersMs
}

const configuration = z.object({
  http: z.object({ routers: z.record(z.string(), z.object({ rule: z.string() })) }),
})

/** Throws unless there is one router for each host name, and no other. */
function mustRoute({ text }: Answer, environments: Seeded['environments']): void {
  const { http } = configuration.parse(JSON.parse(text))
  const rules = Object.values(http.routers).map(({ rule }) => rule)
  strictEqual(rules.length, environments.length)
  const expected = environments.map(({ hostname }) => `Host(\`${hostname}\`)`)
  deepStrictEqual(rules.sort(), expected.sort())
}
