import type { Node } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Actor, NodeUseCases } from '../ground/use-cases.ts'
import type { Evacuation } from '../requests/evacuate.ts'

export interface Nodes extends NodeUseCases {
  /** A daemon has at least one node: this host. */
  ensureLocal(): Promise<void>
  /** Asks each node whether it is there, and writes down what changed. */
  probeAll(): Promise<void>
}

export function createNodes(deps: {
  store: Store
  clock: Clock
  runtime: Pick<Runtime, 'capacity'>
  evacuation: Evacuation
  onRoom: () => void
}): Nodes {
  const { store, clock, runtime, evacuation, onRoom } = deps

  async function find(id: number): Promise<Node> {
    const node = await store.nodes.find(id)
    if (!node) throw new DaemonError('not-found', `no node ${id}`)
    return node
  }

  /** The reason it can't be used; undefined when it answers. */
  async function probe(): Promise<string | undefined> {
    try {
      await runtime.capacity()
      return undefined
    } catch (error) {
      return `it does not answer: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  async function register(
    { name, endpoint, address, tls, reservedMemoryMb }: Parameters<NodeUseCases['register']>[0],
    actor: Actor,
  ): Promise<Node> {
    if (endpoint !== 'local' || tls) {
      throw new DaemonError(
        'bad-request',
        'remote engines come with the docker runtime; this daemon runs apps as processes and takes only the endpoint local, without tls',
      )
    }
    const fault = await probe()
    if (fault !== undefined) throw new DaemonError('bad-request', `node ${name}: ${fault}`)
    const node = await store.transaction(async (tx) => {
      const at = clock.now()
      const known = (await tx.nodes.list()).find((one) => one.name === name)
      const state = known && known.state !== 'down' ? known.state : known?.stateBeforeDown
      const put = await tx.nodes.put({
        name,
        endpoint,
        address,
        tls: null,
        reservedMemoryMb,
        state: state ?? 'active',
        stateBeforeDown: state ?? 'active',
        reason: null,
        createdAt: known?.createdAt ?? at,
      })
      const detail = `${name} at ${endpoint}${known ? ' was corrected' : ' was registered'}`
      await tx.audit.write(auditRow('node_registered', {}, detail, actor, at))
      return put
    })
    onRoom()
    return node
  }

  async function update(
    id: number,
    { state, evacuate = false }: Parameters<NodeUseCases['update']>[1],
    actor: Actor,
  ): ReturnType<NodeUseCases['update']> {
    if (state === 'down') {
      throw new DaemonError('bad-request', 'down is what a failed probe records: use draining')
    }
    if (evacuate && state === 'active') {
      throw new DaemonError('bad-request', 'a node that is evacuated is draining, not active')
    }
    const before = await find(id)
    const wanted = evacuate ? 'draining' : state
    const node = wanted === undefined ? before : await setState(before, wanted, actor)
    onRoom()
    const { moved, stuck } = evacuate ? await evacuation.run(node, actor) : { moved: [], stuck: [] }
    return { node, moved, stuck }
  }

  async function setState(node: Node, wanted: 'active' | 'draining', actor: Actor): Promise<Node> {
    return store.transaction(async (tx) => {
      // One that is down becomes what was asked for when it answers again.
      const changes =
        node.state === 'down'
          ? { stateBeforeDown: wanted }
          : { state: wanted, stateBeforeDown: wanted }
      const updated = await tx.nodes.update(node.id, changes)
      if (!updated) throw new DaemonError('not-found', `no node ${node.id}`)
      const detail = `${node.name} is ${wanted}`
      await tx.audit.write(auditRow('node_updated', {}, detail, actor, clock.now()))
      return updated
    })
  }

  return {
    register,
    list: () => store.nodes.list(),
    update,

    async remove(id, actor) {
      const { name } = await find(id)
      await store.transaction(async (tx) => {
        const result = await tx.nodes.remove(id)
        if (result === 'in-use') {
          throw new DaemonError(
            'conflict',
            `node ${name} has environments, destroyed ones in its history included: remove their projects first`,
          )
        }
        if (result === 'absent') throw new DaemonError('not-found', `no node ${id}`)
        const row = auditRow('node_removed', {}, `${name} was removed`, actor, clock.now())
        await tx.audit.write(row)
      })
    },

    async ensureLocal() {
      if ((await store.nodes.list()).length > 0) return
      await store.nodes.put({
        name: 'local',
        endpoint: 'local',
        address: null,
        tls: null,
        reservedMemoryMb: 0,
        state: 'active',
        stateBeforeDown: 'active',
        reason: null,
        createdAt: clock.now(),
      })
    },

    async probeAll() {
      const fault = await probe()
      for (const { id, state, stateBeforeDown } of await store.nodes.list()) {
        if (fault !== undefined && state !== 'down') {
          await store.nodes.update(id, { state: 'down', stateBeforeDown: state, reason: fault })
        } else if (fault === undefined && state === 'down') {
          await store.nodes.update(id, { state: stateBeforeDown, reason: null })
          onRoom()
        }
      }
    },
  }
}
