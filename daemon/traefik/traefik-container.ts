import { Readable } from 'node:stream'
import { Header } from 'tar'
import * as z from 'zod'
import { withDeadline } from '../async/with-deadline.ts'
import type { Engine } from '../engine/engine.ts'
import { hasStatus } from '../engine/engine-error.ts'
import type { Ownership } from '../engine/ownership.ts'
import { DaemonError } from '../errors.ts'
import type { Clock, ProxyProgram, Redacted } from '../ports.ts'
import type { ProxyPolls } from './proxy-polls.ts'
import { buildStaticConfig } from './static-config.ts'

const imagesSchema = z.array(
  z.object({ Id: z.string(), Created: z.number(), RepoTags: z.array(z.string()).nullish() }),
)
const containerSchema = z.object({
  Name: z.string(),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish(), Image: z.string() }),
  State: z.object({ Status: z.string(), ExitCode: z.number() }),
})

const callMs = 60_000
/** Time in which a new container must poll `/proxy/config`. */
const firstPollMs = 20_000

/**
 * Runs Traefik as a container of the daemon's own engine, in the network of the host. Its image must be in the engine: the
 * daemon pulls none.
 */
export function createTraefikContainer({
  engine,
  ownership,
  clock,
  polls,
  endpoint,
  port,
  image: wanted,
}: {
  engine: Engine
  ownership: Ownership
  clock: Pick<Clock, 'monotonic' | 'wait'>
  polls: Pick<ProxyPolls, 'read' | 'nextPoll'>
  /** URL of `/proxy/config`, or the first step for a container to read it. */
  endpoint: { readonly url: string } | { readonly fault: string }
  port: number
  /** Name of the image; undefined: the newest image `traefik` of the engine. */
  image: string | undefined
}): ProxyProgram {
  const name = `strata-${ownership.instance}-traefik`
  const path = `/containers/${name}`

  async function findImage(): Promise<{ id: string; tag: string } | undefined> {
    const filters = JSON.stringify({ reference: [wanted ?? 'traefik'] })
    const images = imagesSchema.parse(
      await engine.call({ path: '/images/json', query: { filters } }),
    )
    const newest = images.sort((a, b) => b.Created - a.Created)[0]
    return newest && { id: newest.Id, tag: wanted ?? newest.RepoTags?.[0] ?? newest.Id }
  }

  /** Returns the daemon's container; undefined if there is none. Throws `conflict` for one of somebody else. */
  async function find() {
    const answer = await engine.call({ path: `${path}/json` }).catch((error: unknown) => {
      if (hasStatus(error, 404)) return undefined
      throw error
    })
    if (answer === undefined) return undefined
    const { Config, State } = containerSchema.parse(answer)
    const fields = ownership.read(name, Config.Labels)
    if (fields?.role !== 'proxy') {
      throw new DaemonError(
        'conflict',
        `the container ${name} is not one of this daemon: remove it`,
      )
    }
    return {
      spec: fields.spec,
      image: Config.Image,
      status: State.Status,
      exitCode: State.ExitCode,
    }
  }

  async function remove(): Promise<void> {
    const query = { force: true, v: true }
    await engine
      .call({ method: 'DELETE', path, query, timeoutMs: callMs })
      .catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error
      })
  }

  async function create(image: string, spec: string, config: Buffer): Promise<void> {
    const fields = { role: 'proxy', projectId: 0, environmentId: 0, spec } as const
    const body = {
      Image: image,
      User: '0',
      Labels: ownership.labels(name, fields),
      HostConfig: {
        NetworkMode: 'host',
        RestartPolicy: { Name: 'unless-stopped' },
        CapDrop: ['ALL'],
        CapAdd: ['NET_BIND_SERVICE'],
        SecurityOpt: ['no-new-privileges'],
        PidsLimit: 512,
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
      },
    }
    const call = { method: 'POST', timeoutMs: callMs } as const
    await engine.call({ ...call, path: '/containers/create', query: { name }, body })
    await engine.call({
      ...{ method: 'PUT', path: `${path}/archive`, query: { path: '/etc' } },
      ...{ file: Readable.from([archiveOf(config)]), timeoutMs: callMs },
    })
    await engine.call({ ...call, path: `${path}/start` })
  }

  return {
    async describe() {
      const container = await find()
      if (!container) return undefined
      const { image, status, exitCode } = container
      if (status === 'running') return { ok: true, detail: `Traefik runs as ${name} (${image})` }
      const next = `read the output of Traefik: docker logs ${name}`
      return { ok: false, detail: `${name} is ${status}, exit code ${exitCode}`, next }
    },

    async ensure(issueToken) {
      const known = await find()
      if (!known && polls.read().proxies > 0) return undefined
      if ('fault' in endpoint) return endpoint.fault
      const image = await findImage()
      if (!image) return `load ${wanted ?? 'an image traefik:<version>'} into the engine`
      const { url } = endpoint
      const spec = ownership.digest(JSON.stringify([image.id, port, url]))
      if (known?.spec === spec && known.status === 'running') return undefined
      if (known) await remove()
      const token: Redacted | null = await issueToken()
      try {
        await create(image.tag, spec, buildStaticConfig({ endpoint: url, port, token }))
      } catch (error) {
        await remove().catch(() => {})
        throw error
      }
      const done = new AbortController()
      await withDeadline(polls.nextPoll(done.signal), { clock, ms: firstPollMs })
      done.abort()
      return undefined
    },
  }
}

/** Returns a tar with `traefik/traefik.yml`, which only root can read. */
function archiveOf(config: Buffer): Buffer {
  const padded = Math.ceil(config.length / 512) * 512
  const blocks = Buffer.alloc(2 * 512 + padded + 2 * 512)
  const mtime = new Date(0)
  const shared = { uid: 0, gid: 0, mtime }
  const folder = { ...shared, path: 'traefik/', type: 'Directory', mode: 0o755, size: 0 } as const
  const file = { ...shared, path: 'traefik/traefik.yml', type: 'File', mode: 0o600 } as const
  new Header(folder).encode(blocks)
  new Header({ ...file, size: config.length }).encode(blocks, 512)
  config.copy(blocks, 1024)
  return blocks
}
