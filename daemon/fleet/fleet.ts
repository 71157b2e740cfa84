import type { Node } from '../domain/records.ts'
import { createEngine } from '../engine/engine.ts'
import { probeEngine } from '../engine/version.ts'
import { DaemonError } from '../errors.ts'
import type { Fleet, NodeDraft } from '../ports.ts'
import { createBranchData } from './branch-data.ts'
import { createConnections, createMembers, type FleetOptions, memberOf } from './connections.ts'
import { createEmpties } from './empties.ts'
import type { Members } from './fleet-runtime.ts'
import { engineAddressOf, nodeSettings, publishAddressOf } from './node-engine.ts'

export interface EngineFleet extends Fleet {
  readonly members: Members
  close(): Promise<void>
}

/** Time limit of the probe of a new node. */
const newNodeMs = 10_000

/** Connects the daemon's own engine. `refresh` connects the engines of nodes. */
export async function createFleet(options: FleetOptions): Promise<EngineFleet> {
  const { store, ownership, allowInsecure } = options
  const connections = await createConnections(options)
  const { own } = connections
  const members = createMembers(options, connections)
  const places = createBranchData({ ownership })

  async function requireNew({ name, endpoint }: NodeDraft): Promise<void> {
    const twin = (await store.nodes.list()).find(
      (node) => node.endpoint === endpoint && node.name !== name,
    )
    if (!twin) return
    throw new DaemonError('bad-request', `${endpoint} is node ${twin.name} already`)
  }

  const empties = createEmpties({ recordedOf: members.recordedOf })
  const placeOf = (node: Node | null) => (node === null ? own : memberOf(connections, node))

  return {
    members,
    refresh: connections.refresh,

    async probe(draft) {
      if (draft.endpoint === 'local') {
        if (draft.tls) throw new DaemonError('bad-request', 'the endpoint local takes no TLS')
        await own.probe(newNodeMs)
        return
      }
      await requireNew(draft)
      const address = engineAddressOf(draft, { allowInsecure })
      await publishAddressOf(draft.address, address)
      await probeEngine(createEngine(address, nodeSettings), newNodeMs)
    },

    async capacity(node) {
      // A node whose host name was unknown, for example, is connected as soon as it can be.
      if (!connections.find(node)) await connections.connect(node)
      const member = memberOf(connections, node)
      const capacity = await member.probe()
      if (!member.seesFolders) void empties.look(member)
      return capacity
    },

    isKnownEmpty: empties.has,

    async room(node) {
      const member = connections.find(node)
      if (!member || (member !== own && member.away() !== undefined)) return undefined
      try {
        return await member.probe()
      } catch (error) {
        if (member === own) throw error
        return undefined
      }
    },

    onChange: connections.onChange,

    sharesData(one, other) {
      const [a, b] = [connections.find(one), connections.find(other)]
      return (
        one.id === other.id || (a && b && (a === b || (a.seesFolders && b.seesFolders))) === true
      )
    },

    async prepare(folder, node) {
      const member = memberOf(connections, node)
      await member.use(() => members.carryImage(folder, member))
    },

    keepsData: (node) => connections.find(node)?.seesFolders !== true,

    async hasData(data, node) {
      const member = placeOf(node)
      return member.use(() => places.has(data, member))
    },

    async copyData(data, from, to) {
      const [source, target] = [placeOf(from), placeOf(to)]
      await source.use(() => target.use(() => places.copy(data, source, target)))
    },

    async snapshotData(data, node, into, signal) {
      const member = memberOf(connections, node)
      await member.use(() => places.snapshot(data, member, into, signal))
    },

    async loadData(data, folder, node) {
      const member = memberOf(connections, node)
      await member.use(() => places.load(data, folder, member))
    },

    async dataBytes(projectId) {
      const reached = members
        .all()
        .filter((member) => !member.seesFolders && member.away() === undefined)
      const sizes = await Promise.all(
        reached.map((member) =>
          member.runtime.volumeSizes().then(
            (bytes) => bytes.get(projectId) ?? 0,
            () => 0,
          ),
        ),
      )
      return sizes.reduce((sum, bytes) => sum + bytes, 0)
    },

    async removeData(data, node) {
      const member = placeOf(node)
      await member.use(() => places.remove(data, member))
    },

    async close() {
      await Promise.all(members.all().map((member) => member.close()))
    },
  }
}
