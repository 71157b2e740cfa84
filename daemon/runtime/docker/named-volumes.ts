import { basename } from 'node:path'
import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import { openVolume } from './volume-archive.ts'

/** The volumes of an engine that keep the data of branches. */
export interface NamedVolumes {
  /**
   * Returns the name of the volume of a branch; creates the volume, which every user of a container may write, if it is
   * absent. `folder` is the branch's folder. The engine must have an image of this daemon.
   */
  ensure(projectId: number, folder: string): Promise<string>
  nameOf(projectId: number, folder: string): string
  /** Removes a volume. No-op if it is absent. Throws `conflict` if a container uses it. */
  remove(volume: string): Promise<void>
  exists(volume: string): Promise<boolean>
}

const schema = z.object({ Labels: z.record(z.string(), z.string()).nullish() })

export function createNamedVolumes(engine: Engine, ownership: Ownership): NamedVolumes {
  /** Volumes that are known to be writable. */
  const unlocked = new Set<string>()
  const nameOf = (projectId: number, folder: string) =>
    `strata-${ownership.instance}-p${projectId}-${basename(folder)}`
  const pathOf = (volume: string) => `/volumes/${encodeURIComponent(volume)}`

  /** Returns true if the engine has the volume. Throws `conflict` if somebody else made it. */
  async function exists(volume: string): Promise<boolean> {
    const answer = await engine.call({ path: pathOf(volume) }).catch((error: unknown) => {
      if (hasStatus(error, 404)) return undefined
      throw error
    })
    if (answer === undefined) return false
    if (ownership.read(volume, schema.parse(answer).Labels)?.role === 'volume') return true
    throw new DaemonError(
      'conflict',
      `the engine ${engine.name} has a volume ${volume} that the daemon did not make: remove it with docker volume rm ${volume}`,
    )
  }

  return {
    nameOf,
    exists,

    async ensure(projectId, folder) {
      const volume = nameOf(projectId, folder)
      const isKnown = await exists(volume)
      if (isKnown && unlocked.has(volume)) return volume
      if (!isKnown) {
        const fields = { role: 'volume', projectId, environmentId: 0, spec: '' } as const
        const body = { Name: volume, Driver: 'local', Labels: ownership.labels(volume, fields) }
        await engine.call({ method: 'POST', path: '/volumes/create', body })
      }
      const archive = await openVolume(engine, ownership, volume)
      try {
        await archive.unlock(isKnown ? new Date() : new Date(0))
      } finally {
        await archive.close()
      }
      unlocked.add(volume)
      return volume
    },

    async remove(volume) {
      unlocked.delete(volume)
      if (!(await exists(volume))) return
      await engine
        .call({ method: 'DELETE', path: pathOf(volume), timeoutMs: 60_000 })
        .catch((error: unknown) => {
          if (hasStatus(error, 404)) return
          if (!hasStatus(error, 409)) throw error
          throw new DaemonError('conflict', `a container still uses the volume ${volume}`)
        })
    },
  }
}
