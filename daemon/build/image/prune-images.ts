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
      if (!isKept) await removeImage(engine, ownership, tag)
    }
  }
}

/** Removes an image and its stopped containers. No-op if it is absent, or if a running container uses it. */
export async function removeImage(
  engine: Engine,
  ownership: Ownership,
  tag: string,
): Promise<void> {
  const remove = () => engine.call({ method: 'DELETE', path: `/images/${tag}`, timeoutMs: 60_000 })
  try {
    await remove().catch(async (error: unknown) => {
      if (!hasStatus(error, 409)) throw error
      await removeStopped(engine, ownership, tag)
      return remove()
    })
  } catch (error) {
    if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
  }
}

const containersSchema = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
)

/** Removes the stopped containers of an image, which a killed daemon or engine left. */
async function removeStopped(engine: Engine, ownership: Ownership, tag: string): Promise<void> {
  const filters = JSON.stringify({ ancestor: [tag], status: ['created', 'exited', 'dead'] })
  const listed = await engine.call({ path: '/containers/json', query: { all: true, filters } })
  for (const { Id, Names, Labels } of containersSchema.parse(listed)) {
    if (ownership.read((Names[0] ?? '').replace(/^\//, ''), Labels)?.role !== 'app') continue
    await engine
      .call({ method: 'DELETE', path: `/containers/${Id}`, query: { v: true } })
      .catch((error: unknown) => {
        if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
      })
  }
}
