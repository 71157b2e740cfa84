import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Header } from 'tar'
import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import { dataFolder } from './container-spec.ts'

const listSchema = z.array(z.object({ Id: z.string() }))

const firstByteMs = 60_000
const totalMs = 30 * 60_000

/** Reads and writes a volume as a tar, through a container that is never started. The volume's image needs no shell. */
export interface VolumeArchive {
  read(signal: AbortSignal): Promise<Readable>
  write(tar: Readable, signal: AbortSignal): Promise<void>
  /** Lets every user of a container write the volume, and sets the time of its folder. */
  unlock(at: Date): Promise<void>
  close(): Promise<void>
}

/** Opens a volume. Call `close` once. Throws `unprocessable` if the engine has no image of this daemon. */
export async function openVolume(
  engine: Engine,
  ownership: Ownership,
  volume: string,
): Promise<VolumeArchive> {
  const name = `${volume}-copy`
  const path = `/containers/${encodeURIComponent(name)}`
  const Image = await anyImage(engine, ownership)
  const remove = async () => {
    await engine
      .call({ method: 'DELETE', path, query: { force: true }, timeoutMs: 60_000 })
      .catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error
      })
  }
  // A killed daemon may have left one.
  await remove()
  const fields = { role: 'volume', projectId: 0, environmentId: 0, spec: '' } as const
  const body = {
    Image,
    Entrypoint: ['/never-started'],
    Labels: ownership.labels(name, fields),
    HostConfig: {
      NetworkMode: 'none',
      Mounts: [{ Type: 'volume', Source: volume, Target: dataFolder }],
    },
  }
  await engine.call({
    ...{ method: 'POST', path: '/containers/create', query: { name }, body },
    timeoutMs: 60_000,
  })
  return {
    read: (signal) =>
      engine.stream({
        path: `${path}/archive`,
        query: { path: dataFolder },
        timeoutMs: firstByteMs,
        signal,
      }),
    async write(file, signal) {
      await engine.call({
        ...{ method: 'PUT', path: `${path}/archive`, query: { path: '/' } },
        ...{ file, signal, timeoutMs: totalMs },
      })
    },
    async unlock(at) {
      await engine.call({
        ...{ method: 'PUT', path: `${path}/archive`, query: { path: '/' } },
        ...{ file: Readable.from([unlockedFolder(at)]), timeoutMs: 30_000 },
      })
    },
    close: remove,
  }
}

/** Returns the id of an image that the engine has. Its files do not matter. */
async function anyImage(engine: Engine, ownership: Ownership): Promise<string> {
  const filters = JSON.stringify({ label: [ownership.filter] })
  const images = listSchema.parse(await engine.call({ path: '/images/json', query: { filters } }))
  const [image] = images
  if (image) return image.Id
  throw new DaemonError(
    'unprocessable',
    `the engine ${engine.name} has no image of this daemon, through which it could read data`,
  )
}

const statSchema = z.object({ mtime: z.string() })

/**
 * Returns true if no file was ever made or removed in the data folder of a container: its time is the one that a new
 * volume got. The container may run.
 */
export async function isUntouched(engine: Engine, container: string): Promise<boolean> {
  const stop = new AbortController()
  try {
    const answer = await engine.stream({
      path: `/containers/${encodeURIComponent(container)}/archive`,
      query: { path: `${dataFolder}/` },
      signal: stop.signal,
    })
    // The cast is safe: the stream of an engine is a response.
    const header = (answer as IncomingMessage).headers['x-docker-container-path-stat']
    const text = Buffer.from(String(header), 'base64').toString()
    return Date.parse(statSchema.parse(JSON.parse(text)).mtime) === 0
  } finally {
    stop.abort(new Error('the head of the answer was enough'))
  }
}

/** Returns a tar with nothing but the folder itself. */
function unlockedFolder(mtime: Date): Buffer {
  const block = Buffer.alloc(3 * 512)
  const path = `${dataFolder.slice(1)}/`
  new Header({ path, type: 'Directory', mode: 0o777, uid: 0, gid: 0, size: 0, mtime }).encode(block)
  return block
}
