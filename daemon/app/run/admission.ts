import { createLocks } from '../../async/locks.ts'
import { type NodeRoom, type Placement, place } from '../../domain/placement.ts'
import type { Environment, Node } from '../../domain/records.ts'
import type { Fleet, Store } from '../../ports.ts'

/** Reserves memory on nodes, so that parallel starts never overcommit a node. */
export interface Admission {
  /** Chooses a node for an app and reserves its memory until `release`. */
  reserve(request: MemoryRequest): Promise<Reserved>
  /** Returns the placement that `reserve` would choose, without reserving memory. */
  peek(request: MemoryRequest): Promise<Placement>
  /** MiB reserved by running and starting apps, by node id. */
  committed(): Promise<ReadonlyMap<number, number>>
}

export interface MemoryRequest {
  readonly memoryMb: number
  /** The live environment of the branch; the new version takes over its memory. */
  readonly replaces: Environment | undefined
  /** Restricts the choice to one node. */
  readonly nodeId?: number
  /** MiB to leave free for an older waiting deploy. */
  readonly aheadMb: number
}

export type Reserved =
  | { readonly kind: 'placed'; readonly nodeId: number; readonly reservation: Reservation }
  | Exclude<Placement, { kind: 'placed' }>

export interface Reservation {
  /** Sets the environment of this reservation, so that its memory is not counted twice. */
  coverRow(environmentId: number): void
  release(): void
}

interface Entry {
  readonly nodeId: number
  readonly memoryMb: number
  readonly replacesId: number | undefined
  environmentId: number | undefined
}

const mib = 2 ** 20

export function createAdmission(deps: {
  store: Store
  fleet: Pick<Fleet, 'room' | 'sharesData'>
  reservedMemoryMb: number
  /** Called when memory was freed. */
  onMemoryFreed: () => void
}): Admission {
  const { store, fleet, reservedMemoryMb, onMemoryFreed } = deps
  const locks = createLocks()
  const entries = new Set<Entry>()

  async function committed(): Promise<Map<number, number>> {
    const rows = await store.environments.listByState(['running'])
    const byId = new Map(rows.map((row) => [row.id, row]))
    const totals = new Map<number, number>()
    const add = (nodeId: number, mb: number) => totals.set(nodeId, (totals.get(nodeId) ?? 0) + mb)
    for (const entry of entries) {
      const own = entry.environmentId === undefined ? undefined : byId.get(entry.environmentId)
      const old = entry.replacesId === undefined ? undefined : byId.get(entry.replacesId)
      if (own) byId.delete(own.id)
      // On one node, the old and the new version share memory. On two nodes, each version counts in full.
      const shared = old?.nodeId === entry.nodeId ? old : undefined
      if (shared) byId.delete(shared.id)
      add(entry.nodeId, Math.max(entry.memoryMb, shared?.memoryMb ?? 0))
    }
    for (const { nodeId, memoryMb } of byId.values()) add(nodeId, memoryMb)
    return totals
  }

  /** Returns the room of `asked`. Nodes with the same endpoint are one machine and share their memory. */
  async function rooms(nodes: readonly Node[], asked: readonly Node[]): Promise<NodeRoom[]> {
    const [capacities, totals] = await Promise.all([
      Promise.all(asked.map((node) => fleet.room(node))),
      committed(),
    ])
    const byEndpoint = new Map<string, number>()
    for (const { id, endpoint } of nodes) {
      byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + (totals.get(id) ?? 0))
    }
    return asked.map((node, index) => {
      // A node that does not respond may have any size.
      const memoryBytes = capacities[index]?.memoryBytes ?? Number.POSITIVE_INFINITY
      const reservedMb = node.endpoint === 'local' ? reservedMemoryMb : 0
      return {
        nodeId: node.id,
        isActive: node.state === 'active' && capacities[index] !== undefined,
        memoryMb: Math.floor(memoryBytes / mib) - reservedMb - node.reservedMemoryMb,
        committedMb: byEndpoint.get(node.endpoint) ?? 0,
      }
    })
  }

  /** Returns true if a branch whose data is on `home` may run on a node: only a drained node gives data away. */
  function isNear(node: Node, home: Node | undefined): boolean {
    return home?.state !== 'active' || fleet.sharesData(home, node)
  }

  async function peek({ memoryMb, replaces, nodeId, aheadMb }: MemoryRequest): Promise<Placement> {
    const all = await store.nodes.list()
    const home = all.find(({ id }) => id === replaces?.nodeId)
    const asked = all.filter((node) =>
      nodeId === undefined ? isNear(node, home) : node.id === nodeId,
    )
    const found = await rooms(all, asked)
    // An existing environment may run on its node even if the node is draining.
    const nodes = nodeId === undefined ? found : found.map((one) => ({ ...one, isActive: true }))
    const heldMb = replaces?.state === 'running' ? replaces.memoryMb : 0
    const from = replaces ? { nodeId: replaces.nodeId, heldMb } : null
    return place({ memoryMb, from, aheadMb }, nodes)
  }

  return {
    committed,
    peek,
    reserve: (request) =>
      locks.run('memory', async () => {
        const placement = await peek(request)
        if (placement.kind !== 'placed') return placement
        const entry: Entry = {
          nodeId: placement.nodeId,
          memoryMb: request.memoryMb,
          replacesId: request.replaces?.id,
          environmentId: undefined,
        }
        entries.add(entry)
        const reservation = {
          coverRow(environmentId: number) {
            entry.environmentId = environmentId
          },
          release() {
            if (entries.delete(entry)) onMemoryFreed()
          },
        }
        return { ...placement, reservation }
      }),
  }
}
