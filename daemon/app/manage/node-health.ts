import type { Node } from '../../domain/records.ts'
import type { Clock, Fleet, Store } from '../../ports.ts'

export interface NodeHealth {
  /** Inserts this host as the first node if no node exists. */
  ensureLocal(): Promise<void>
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
  fleet: Pick<Fleet, 'capacity'>
  onMemoryFreed: () => void
}): NodeHealth {
  const { store, clock, fleet, onMemoryFreed } = deps

  /** Returns why a node can't run apps; undefined if it can. */
  async function faultOf(node: Node): Promise<string | undefined> {
    try {
      await fleet.capacity(node)
      return undefined
    } catch (error) {
      return `the node does not respond: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  async function probe(node: Node): Promise<void> {
    const reason = await faultOf(node)
    // The state may have been changed during the probe.
    const now = await store.nodes.find(node.id)
    if (!now) return
    const { id, state, stateBeforeDown } = now
    if (reason !== undefined && state !== 'down') {
      await store.nodes.update(id, { state: 'down', stateBeforeDown: state, reason })
      // Deploys that waited for this node may go to others.
      onMemoryFreed()
    } else if (reason === undefined && state === 'down') {
      await store.nodes.update(id, { state: stateBeforeDown, reason: null })
      onMemoryFreed()
    }
  }

  return {
    async ensureLocal() {
      if ((await store.nodes.list()).length > 0) return
      await store.nodes.put({ ...localNode, createdAt: clock.now() })
    },

    async probeAll() {
      await Promise.all((await store.nodes.list()).map(probe))
    },
  }
}
