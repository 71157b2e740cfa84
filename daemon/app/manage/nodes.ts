import type { Node } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Fleet, Store, Vault } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Actor, NodeUseCases } from '../ground/use-cases.ts'
import type { Evacuation } from '../requests/evacuate.ts'

export function createNodes(deps: {
  store: Store
  clock: Clock
  vault: Pick<Vault, 'seal'>
  fleet: Pick<Fleet, 'probe' | 'refresh'>
  evacuation: Evacuation
  onMemoryFreed: () => void
}): NodeUseCases {
  const { store, clock, vault, fleet, evacuation, onMemoryFreed } = deps

  async function find(id: number): Promise<Node> {
    const node = await store.nodes.find(id)
    if (!node) throw new DaemonError('not-found', `no node ${id}`)
    return node
  }

  async function register(
    { name, endpoint, address, tls, reservedMemoryMb }: Parameters<NodeUseCases['register']>[0],
    actor: Actor,
  ): Promise<Node> {
    await fleet.probe({ name, endpoint, address, tls }).catch((error: unknown) => {
      throw new DaemonError('bad-request', `node ${name}: ${messageOf(error)}`)
    })
    const node = await store.transaction(async (tx) => {
      const at = clock.now()
      const known = (await tx.nodes.list()).find((one) => one.name === name)
      const state = known && known.state !== 'down' ? known.state : known?.stateBeforeDown
      const put = await tx.nodes.put({
        name,
        endpoint,
        address,
        tls: tls && { ...tls, key: vault.seal(tls.key) },
        reservedMemoryMb,
        state: state ?? 'active',
        stateBeforeDown: state ?? 'active',
        reason: null,
        createdAt: known?.createdAt ?? at,
      })
      const detail = `${name} at ${endpoint} was ${known ? 'updated' : 'registered'}`
      await tx.audit.write(auditRow('node_registered', {}, detail, actor, at))
      return put
    })
    await fleet.refresh()
    onMemoryFreed()
    return node
  }

  async function update(
    id: number,
    { state, evacuate = false }: Parameters<NodeUseCases['update']>[1],
    actor: Actor,
  ): ReturnType<NodeUseCases['update']> {
    if (state === 'down') {
      throw new DaemonError('bad-request', 'only a failed probe sets down: use draining')
    }
    if (evacuate && state === 'active') {
      throw new DaemonError('bad-request', 'an evacuated node is draining: omit state active')
    }
    const before = await find(id)
    const wanted = evacuate ? 'draining' : state
    const node = wanted === undefined ? before : await setState(before, wanted, actor)
    onMemoryFreed()
    const { moved, stuck } = evacuate ? await evacuation.run(node, actor) : { moved: [], stuck: [] }
    return { node, moved, stuck }
  }

  async function setState(node: Node, wanted: 'active' | 'draining', actor: Actor): Promise<Node> {
    return store.transaction(async (tx) => {
      // A node that is down gets the requested state when it responds again.
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

  async function remove(id: number, actor: Actor): Promise<void> {
    const { name } = await find(id)
    await store.transaction(async (tx) => {
      const result = await tx.nodes.remove(id)
      if (result === 'in-use') {
        throw new DaemonError(
          'conflict',
          `node ${name} still has environments (destroyed ones count): remove their projects first`,
        )
      }
      if (result === 'absent') throw new DaemonError('not-found', `no node ${id}`)
      const row = auditRow('node_removed', {}, `${name} was removed`, actor, clock.now())
      await tx.audit.write(row)
    })
    await fleet.refresh()
  }

  return { register, list: () => store.nodes.list(), update, remove }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
