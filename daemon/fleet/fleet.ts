import { createHash } from 'node:crypto'
import { createLocks } from '../async/locks.ts'
import { withDeadline } from '../async/with-deadline.ts'
import { isScheduleProcess, scheduleProcess } from '../domain/process-names.ts'
import type { Environment, Node } from '../domain/records.ts'
import { isLive } from '../domain/states.ts'
import { carryImage, hasImage } from '../engine/carry-image.ts'
import type { EngineAddress } from '../engine/docker-host.ts'
import { createEngine } from '../engine/engine.ts'
import { readImageRelease } from '../engine/image-release.ts'
import type { Ownership } from '../engine/ownership.ts'
import { probeEngine } from '../engine/version.ts'
import { DaemonError } from '../errors.ts'
import type { Clock, Fleet, Logger, NodeDraft, Store, Vault } from '../ports.ts'
import type { FateOf } from '../runtime/docker/engine-sync.ts'
import { createBranchData } from './branch-data.ts'
import { createEmpties } from './empties.ts'
import type { Members } from './fleet-runtime.ts'
import { createMember, type Member, type MemberHooks } from './member.ts'
import { engineAddressOf, isElsewhere, nodeSettings, publishAddressOf } from './node-engine.ts'

export interface FleetOptions {
  readonly store: Pick<Store, 'nodes' | 'environments' | 'scheduleRuns'>
  readonly vault: Pick<Vault, 'open'>
  readonly ownership: Ownership
  readonly clock: Clock
  readonly logger: Logger
  readonly allowInsecure: boolean
  /** Address of the engine of the daemon's own settings. */
  readonly ownAddress: EngineAddress
  /** Creates the runtime and the builder of an engine, whose apps are published on `host`. */
  readonly adapters: (
    engine: Member['engine'],
    options: MemberHooks & { host: string; hasOwnVolumes: boolean; wasAway: boolean },
  ) => Pick<Member, 'runtime' | 'builder' | 'oneOffs'>
}

export interface EngineFleet extends Fleet {
  readonly members: Members
  close(): Promise<void>
}

/** Time that a start of the daemon waits for the engines of nodes. */
const connectMs = 5_000
/** Time limit of the probe of a new node. */
const newNodeMs = 10_000

/** Connects the engines of all nodes. One that hangs is away: nobody waits for it. */
export async function createFleet(options: FleetOptions): Promise<EngineFleet> {
  const { store, vault, ownership, clock, logger, allowInsecure } = options
  const others = new Map<string, { readonly key: string; readonly member: Member }>()
  const listeners: (() => void)[] = []
  const locks = createLocks()
  const places = createBranchData({ ownership })
  const changed = () => {
    for (const listener of listeners) listener()
  }

  const fateOf: FateOf = async (environmentId, app) => {
    const row = await store.environments.find(environmentId)
    if (!row || !(isLive(row.state) || row.state === 'building')) return 'remove'
    // Programs of a person run beside a sleeping app, too.
    if (!app) return 'run'
    if (isScheduleProcess(app.process)) {
      const runs = await store.scheduleRuns.listRunning()
      const isExpected = runs.some(
        (run) => run.environmentId === environmentId && scheduleProcess(run.name) === app.process,
      )
      return isExpected ? 'run' : 'remove'
    }
    return row.state === 'running' || row.state === 'building' ? 'run' : 'stop'
  }

  async function connect(
    name: string,
    address: EngineAddress,
    { publishOn, wasAway }: { publishOn: string | null; wasAway: boolean },
  ): Promise<Member> {
    const isOwn = name === 'local'
    const engine = isOwn ? createEngine(address) : createEngine(address, nodeSettings)
    const hasOwnVolumes = isElsewhere(address)
    const host = await publishAddressOf(publishOn, address)
    return createMember(
      { name, engine, seesFolders: !hasOwnVolumes },
      {
        ...{ clock, isOwn, changed, fateOf },
        adapters: (hooks) => options.adapters(engine, { ...hooks, host, hasOwnVolumes, wasAway }),
      },
    )
  }

  const own = await connect('local', options.ownAddress, { publishOn: null, wasAway: false })

  function draftOf({ name, endpoint, address, tls }: Node): NodeDraft {
    return { name, endpoint, address, tls: tls && { ...tls, key: vault.open(tls.key) } }
  }

  async function connectNode(node: Node): Promise<void> {
    const draft = draftOf(node)
    const key = keyOf(draft)
    const known = others.get(node.endpoint)
    if (known?.key === key) return
    await known?.member.close()
    others.delete(node.endpoint)
    const address = engineAddressOf(draft, { allowInsecure })
    const wasAway = node.state === 'down'
    const member = await connect(node.name, address, { publishOn: node.address, wasAway })
    others.set(node.endpoint, { key, member })
    await withDeadline(
      member.probe().then(
        () => {},
        (error: Error) => logger.warn({ node: node.name }, error.message),
      ),
      { clock, ms: connectMs },
    )
  }

  const refresh = () => locks.run('refresh', connectAll)

  async function connectAll(): Promise<void> {
    const nodes = (await store.nodes.list()).filter(({ endpoint }) => endpoint !== 'local')
    const endpoints = new Set(nodes.map(({ endpoint }) => endpoint))
    for (const [endpoint, { member }] of others) {
      if (endpoints.has(endpoint)) continue
      others.delete(endpoint)
      await member.close()
    }
    await Promise.all(
      nodes.map((node) =>
        connectNode(node).catch((error: Error) =>
          logger.error({ node: node.name }, `a node can't be used: ${error.message}`),
        ),
      ),
    )
  }

  function memberOfNode({ endpoint }: Node): Member | undefined {
    return endpoint === 'local' ? own : others.get(endpoint)?.member
  }

  function memberOf(node: Node): Member {
    const member = memberOfNode(node)
    if (member) return member
    const { name } = node
    throw new DaemonError('transient', `node ${name} is not connected: see the log of the daemon`)
  }

  async function ofNode(nodeId: number | undefined): Promise<Member> {
    if (nodeId === undefined) return own
    const node = await store.nodes.find(nodeId)
    if (!node) throw new DaemonError('unprocessable', `there is no node ${nodeId} any more`)
    return memberOf(node)
  }

  const members: Members = {
    own,
    ofNode,
    all: () => [own, ...[...others.values()].map(({ member }) => member)],
    async ofEnvironment(environmentId) {
      const row = await store.environments.find(environmentId)
      return row && ofNode(row.nodeId)
    },
    async recordedOf(member) {
      const nodes = (await store.nodes.list()).filter((node) => memberOfNode(node) === member)
      const rows: Environment[] = await store.environments.listByState(['running'])
      return rows.filter(({ nodeId }) => nodes.some(({ id }) => id === nodeId))
    },
    async carryImage(folder, to) {
      const image = (await readImageRelease(folder))?.imageId
      if (image === undefined || others.size === 0 || (await hasImage(to.engine, image))) return
      for (const from of members.all()) {
        if (from === to || from.away() !== undefined) continue
        if (!(await from.use(() => hasImage(from.engine, image)))) continue
        logger.info({ image, from: from.name, to: to.name }, 'an image moves to another engine')
        return carryImage(image, from.engine, to.engine)
      }
    },
  }

  async function requireNew({ name, endpoint }: NodeDraft): Promise<void> {
    const twin = (await store.nodes.list()).find(
      (node) => node.endpoint === endpoint && node.name !== name,
    )
    if (!twin) return
    throw new DaemonError('bad-request', `${endpoint} is node ${twin.name} already`)
  }

  const empties = createEmpties({ recordedOf: members.recordedOf })
  const placeOf = (node: Node | null) => (node === null ? own : memberOf(node))

  return {
    members,
    refresh,

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
      if (!memberOfNode(node)) await locks.run('refresh', () => connectNode(node))
      const member = memberOf(node)
      const capacity = await member.probe()
      if (!member.seesFolders) void empties.look(member)
      return capacity
    },

    isKnownEmpty: empties.has,

    async room(node) {
      const member = memberOfNode(node)
      if (!member || (member !== own && member.away() !== undefined)) return undefined
      try {
        return await member.probe()
      } catch (error) {
        if (member === own) throw error
        return undefined
      }
    },

    onChange: (listener) => void listeners.push(listener),

    sharesData(one, other) {
      const [a, b] = [memberOfNode(one), memberOfNode(other)]
      return (
        one.id === other.id || (a && b && (a === b || (a.seesFolders && b.seesFolders))) === true
      )
    },

    async prepare(folder, node) {
      const member = memberOf(node)
      await member.use(() => members.carryImage(folder, member))
    },

    keepsData: (node) => memberOfNode(node)?.seesFolders !== true,

    async hasData(data, node) {
      const member = placeOf(node)
      return member.use(() => places.has(data, member))
    },

    async copyData(data, from, to) {
      const [source, target] = [placeOf(from), placeOf(to)]
      await source.use(() => target.use(() => places.copy(data, source, target)))
    },

    async snapshotData(data, node, into, signal) {
      const member = memberOf(node)
      await member.use(() => places.snapshot(data, member, into, signal))
    },

    async loadData(data, folder, node) {
      const member = memberOf(node)
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

/** Returns a digest of what makes a node's connection, so that a corrected node is connected again. */
function keyOf({ endpoint, address, tls }: NodeDraft): string {
  const parts = [endpoint, address, tls?.ca, tls?.cert, tls?.key.reveal()]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
