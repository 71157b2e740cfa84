import { createLocks } from '../../async/locks.ts'
import { type NodeRoom, type Placement, place } from '../../domain/placement.ts'
import type { Environment, Node } from '../../domain/records.ts'
import type { Runtime, Store } from '../../ports.ts'

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
  runtime: Pick<Runtime, 'capacity'>
  reservedMemoryMb: number
  /** Called when memory was freed. */
  onMemoryFreed: () => void
}): Admission {
  const { store, runtime, reservedMemoryMb, onMemoryFreed } = deps
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

  async function rooms(nodes: readonly Node[]): Promise<NodeRoom[]> {
    const [{ memoryBytes }, totals] = await Promise.all([runtime.capacity(), committed()])
    // Nodes with the same endpoint are one machine and share their memory.
    const byEndpoint = new Map<string, number>()
    for (const { id, endpoint } of nodes) {
      byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + (totals.get(id) ?? 0))
    }
    return nodes.map((node) => ({
      nodeId: node.id,
      isActive: node.state === 'active',
      memoryMb: Math.floor(memoryBytes / mib) - reservedMemoryMb - node.reservedMemoryMb,
      committedMb: byEndpoint.get(node.endpoint) ?? 0,
    }))
  }

  async function peek({ memoryMb, replaces, nodeId, aheadMb }: MemoryRequest): Promise<Placement> {
    const all = await rooms(await store.nodes.list())
    const nodes =
      nodeId === undefined
        ? all
        : // An existing environment may run on its node even if the node is draining.
          all.filter((one) => one.nodeId === nodeId).map((one) => ({ ...one, isActive: true }))
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
