import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { endContainer } from './end-container.ts'
import { type ListedContainer, listContainers } from './inspect.ts'

/** The containers that use a volume. */
export interface VolumeUsers {
  /**
   * Runs `work` while no container that uses the volume runs: a copy is then like one after a power failure, which SQLite
   * recovers. The signal aborts after `frozenMs`.
   */
  whileFrozen(volume: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Lets containers run on that a killed daemon left frozen. */
  thaw(listed: readonly ListedContainer[]): Promise<void>
  /** Removes the containers of this daemon that use a volume. Running ones are stopped first, or stay with `ifStopped`. */
  removeAll(volume: string, options?: { ifStopped?: boolean }): Promise<void>
}

/** Longest time for which visitors of an app wait for a copy. */
const frozenMs = 5 * 60_000
const callMs = 30_000

export function createVolumeUsers(engine: Engine, ownership: Ownership): VolumeUsers {
  /** Containers that `whileFrozen` has frozen. */
  const held = new Set<string>()

  async function change(id: string, action: 'pause' | 'unpause'): Promise<void> {
    const call = { method: 'POST', path: `/containers/${id}/${action}`, timeoutMs: callMs } as const
    await engine.call(call).catch((error: unknown) => {
      // It has ended meanwhile, or is in this state already.
      if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
    })
  }

  async function usersOf(volume: string): Promise<ListedContainer[]> {
    const listed = await listContainers(engine, ownership.filter, { volume: [volume] })
    return listed.filter(({ name, labels }) => ownership.read(name, labels)?.role === 'app')
  }

  async function release(id: string): Promise<void> {
    held.delete(id)
    await change(id, 'unpause')
  }

  return {
    async whileFrozen(volume, work) {
      const ids = (await usersOf(volume)).flatMap(({ id, isRunning }) => (isRunning ? [id] : []))
      try {
        for (const id of ids) held.add(id)
        await Promise.all(ids.map((id) => change(id, 'pause')))
        await work(AbortSignal.timeout(frozenMs))
      } finally {
        // If a call fails, the next comparison with the engine thaws the container.
        await Promise.allSettled(ids.map(release))
      }
    },

    async thaw(listed) {
      const left = listed.filter(({ id, isFrozen }) => isFrozen && !held.has(id))
      await Promise.all(left.map(({ id }) => change(id, 'unpause')))
    },

    async removeAll(volume, { ifStopped = false } = {}) {
      for (const { id, isRunning } of await usersOf(volume)) {
        if (!(ifStopped && isRunning)) await endContainer(engine, id, 'remove')
      }
    },
  }
}
