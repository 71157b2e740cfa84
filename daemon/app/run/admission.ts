import { createLocks } from '../../async/locks.ts'
import { type NodeRoom, type Placement, place } from '../../domain/placement.ts'
import type { Environment, Node } from '../../domain/records.ts'
import type { Runtime, Store } from '../../ports.ts'

/** Memory that is promised: no two take the last place. */
export interface Admission {
  /** Finds a node for an app and keeps its memory until `release`. */
  reserve(request: Request): Promise<Reserved>
  /** What `reserve` would answer; keeps nothing. */
  peek(request: Request): Promise<Placement>
  /** MiB that running apps and those about to run have, by node. */
  committed(): Promise<ReadonlyMap<number, number>>
}

export interface Request {
  readonly memoryMb: number
  /** The live row of the branch. */
  readonly replaces: Environment | undefined
  /** The only node that will do. */
  readonly nodeId?: number
  readonly aheadMb: number
}

export type Reserved =
  | { readonly kind: 'placed'; readonly nodeId: number; readonly reservation: Reservation }
  | Exclude<Placement, { kind: 'placed' }>

export interface Reservation {
  /** The row that is counted by this and not by itself, once there is one. */
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
  /** Some memory has become free. */
  onRoom: () => void
}): Admission {
  const { store, runtime, reservedMemoryMb, onRoom } = deps
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
      // On one node old and new share; while they are on two, each counts on its own.
      const shared = old?.nodeId === entry.nodeId ? old : undefined
      if (shared) byId.delete(shared.id)
      add(entry.nodeId, Math.max(entry.memoryMb, shared?.memoryMb ?? 0))
    }
    for (const { nodeId, memoryMb } of byId.values()) add(nodeId, memoryMb)
    return totals
  }

  async function rooms(nodes: readonly Node[]): Promise<NodeRoom[]> {
    const [{ memoryBytes }, totals] = await Promise.all([runtime.capacity(), committed()])
    // Nodes of one endpoint are one machine: what runs on any of them is committed on all.
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

  async function peek({ memoryMb, replaces, nodeId, aheadMb }: Request): Promise<Placement> {
    const all = await rooms(await store.nodes.list())
    const nodes =
      nodeId === undefined
        ? all
        : // Where it is already it may run, whatever else the node takes.
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
            if (entries.delete(entry)) onRoom()
          },
        }
        return { ...placement, reservation }
      }),
  }
}
