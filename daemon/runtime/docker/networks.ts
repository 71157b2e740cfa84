import * as z from 'zod'
import { createLocks } from '../../async/locks.ts'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'

/** The networks of projects. Containers of different projects do not reach each other. */
export interface Networks {
  /** Returns the name of a project's network; creates the network if it is absent. */
  ensure(projectId: number): Promise<string>
  /** Forgets that a network exists, because the engine no longer knows it. */
  forget(projectId: number): void
  remove(projectId: number): Promise<void>
}

const schema = z.object({
  Name: z.string(),
  Labels: z.record(z.string(), z.string()).nullish(),
})

export function createNetworks(engine: Engine, ownership: Ownership): Networks {
  const known = new Set<number>()
  const locks = createLocks()
  const nameOf = (projectId: number) => `strata-${ownership.instance}-p${projectId}`

  async function find(name: string): Promise<boolean> {
    const path = `/networks/${encodeURIComponent(name)}`
    const answer = await engine.call({ path }).catch((error: unknown) => {
      if (hasStatus(error, 404)) return undefined
      throw error
    })
    if (answer === undefined) return false
    if (ownership.read(name, schema.parse(answer).Labels)?.role === 'network') return true
    throw new DaemonError(
      'internal',
      `the network ${name} of the engine ${engine.name} is not the daemon's: remove it with docker network rm`,
    )
  }

  async function create(name: string, projectId: number): Promise<void> {
    const Labels = ownership.labels(name, {
      ...{ role: 'network', projectId, environmentId: 0, spec: '' },
    })
    const body = { Name: name, Driver: 'bridge', CheckDuplicate: true, Labels }
    await engine
      .call({ method: 'POST', path: '/networks/create', body, timeoutMs: 30_000 })
      .catch((error: unknown) => {
        if (error instanceof Error && /address pool|non-overlapping/.test(error.message)) {
          throw new DaemonError(
            'unprocessable',
            `the engine ${engine.name} has no free subnet for the network of another project: add a range to default-address-pools in its daemon.json, such as {"base":"10.210.0.0/16","size":26}`,
          )
        }
        throw error
      })
  }

  return {
    ensure: (projectId) =>
      locks.run(projectId, async () => {
        const name = nameOf(projectId)
        if (known.has(projectId)) return name
        if (!(await find(name))) await create(name, projectId)
        known.add(projectId)
        return name
      }),
    forget: (projectId) => void known.delete(projectId),
    remove: (projectId) =>
      locks.run(projectId, async () => {
        known.delete(projectId)
        const name = nameOf(projectId)
        if (!(await find(name))) return
        const path = `/networks/${encodeURIComponent(name)}`
        await engine.call({ method: 'DELETE', path }).catch((error: unknown) => {
          // 403: a stopped container is still connected.
          if (!hasStatus(error, 404)) throw error
        })
      }),
  }
}
