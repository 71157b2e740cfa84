import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert'
import { join } from 'node:path'
import * as z from 'zod'
import { median } from '../harness/stats.ts'
import type { Answer } from './ask.ts'
import type { Effort } from './effort.ts'
import { quantile, type Report } from './figure.ts'
import { get, withToken } from './get.ts'
import type { LoadRequest } from './load.ts'
import { untilQuiet } from './processes.ts'
import { type Seeded, seed } from './seed.ts'
import { type Stratad, startStratad } from './stratad.ts'
import { warmUp, withLoad } from './with-load.ts'

const size = { projects: 40, environments: 10_000, auditRows: 0 }
const path = '/api/v1/proxy/config'
const targetMs = { full: 50, notModified: 2 }

/** Measures the routing configuration of 10,000 environments, which an external proxy polls every few seconds. */
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
    const afterChangeMs = await measureChanges(daemon, environments, effort.routeChanges)
    const kib = Math.round(first.text.length / 1024)
    return {
      figures: [
        {
          what: '/proxy/config, 10,000, p50',
          value: full.p50Ms,
          unit: 'ms',
          of: `${full.count} responses of ${kib} KiB`,
        },
        {
          what: '/proxy/config, 10,000, p99',
          value: full.p99Ms,
          unit: 'ms',
          target: { atMost: targetMs.full },
        },
        { what: '  304, p50', value: notModified.p50Ms, unit: 'ms', of: `${notModified.count}` },
        {
          what: '  304, p99',
          value: notModified.p99Ms,
          unit: 'ms',
          target: { atMost: targetMs.notModified },
        },
        {
          what: '  first after a change, p50',
          value: median(afterChangeMs),
          unit: 'ms',
          target: { atMost: targetMs.full },
          of: `${afterChangeMs.length}, slowest ${quantile(afterChangeMs, 1).toFixed(1)}`,
        },
      ],
    }
  } finally {
    await daemon.stop()
  }
}

/** Destroys environments one by one. After each, requests the configuration with the previous ETag. */
async function measureChanges(
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

/** Throws unless the configuration has exactly one router per host name. */
function mustRoute({ text }: Answer, environments: Seeded['environments']): void {
  const { http } = configuration.parse(JSON.parse(text))
  const rules = Object.values(http.routers).map(({ rule }) => rule)
  strictEqual(rules.length, environments.length)
  const expected = environments.map(({ hostname }) => `Host(\`${hostname}\`)`)
  deepStrictEqual(rules.sort(), expected.sort())
}
