import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'

const schema = z.array(
  z.object({
    Id: z.string(),
    RepoTags: z.array(z.string()).nullish(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
)

/** Removes the images of this daemon whose release folder is gone. An image in use stays until the next call. */
export async function pruneImages(
  engine: Engine,
  ownership: Ownership,
  releasesFolder: string,
): Promise<void> {
  const filters = JSON.stringify({ label: [ownership.filter] })
  const images = schema.parse(await engine.call({ path: '/images/json', query: { filters } }))
  for (const { RepoTags, Labels } of images) {
    for (const tag of RepoTags ?? []) {
      const fields = ownership.read(tag, Labels)
      if (fields?.role !== 'image') continue
      const isKept = await lstat(join(releasesFolder, fields.spec)).catch(() => undefined)
      if (!isKept) await removeImage(engine, tag)
    }
  }
}

/** Removes an image. No-op if it is absent, or if a container uses it. */
export async function removeImage(engine: Engine, tag: string): Promise<void> {
  try {
    await engine.call({ method: 'DELETE', path: `/images/${tag}`, timeoutMs: 60_000 })
  } catch (error) {
    if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
  }
}
