import type { Node } from '../../domain/records.ts'
import type { Clock, Runtime, Store } from '../../ports.ts'

export interface NodeHealth {
  /** Inserts this host as the first node if no node exists. */
  ensureLocal(): Promise<void>
  /** Returns why this host can't run apps; undefined if it can. */
  probe(): Promise<string | undefined>
  /** Probes the nodes. Marks unresponsive nodes `down` and restores their previous state when they respond again. */
  probeAll(): Promise<void>
}

/** The node that a new daemon registers for its own host. */
export const localNode: Omit<Node, 'id' | 'createdAt'> = {
  name: 'local',
  endpoint: 'local',
  address: null,
  tls: null,
  reservedMemoryMb: 0,
  state: 'active',
  stateBeforeDown: 'active',
  reason: null,
}

export function createNodeHealth(deps: {
  store: Pick<Store, 'nodes'>
  clock: Clock
  runtime: Pick<Runtime, 'capacity'>
  onMemoryFreed: () => void
}): NodeHealth {
  const { store, clock, runtime, onMemoryFreed } = deps

  async function probe(): Promise<string | undefined> {
    try {
      await runtime.capacity()
      return undefined
    } catch (error) {
      return `the node does not respond: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  return {
    probe,

    async ensureLocal() {
      if ((await store.nodes.list()).length > 0) return
      await store.nodes.put({ ...localNode, createdAt: clock.now() })
    },

    async probeAll() {
      const reason = await probe()
      for (const { id, state, stateBeforeDown } of await store.nodes.list()) {
        if (reason !== undefined && state !== 'down') {
          await store.nodes.update(id, { state: 'down', stateBeforeDown: state, reason })
        } else if (reason === undefined && state === 'down') {
          await store.nodes.update(id, { state: stateBeforeDown, reason: null })
          onMemoryFreed()
        }
      }
    },
  }
}
