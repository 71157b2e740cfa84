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
import { DaemonError } from '../errors.ts'
import type { Clock, Logger, NodeDraft, Store, Vault } from '../ports.ts'
import type { FateOf } from '../runtime/docker/engine-sync.ts'
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

/** The connections to the engines of all nodes. */
export interface Connections {
  readonly own: Member
  /** The members of other engines. */
  others(): Member[]
  /** Connects new and changed nodes, and forgets removed ones. */
  refresh(): Promise<void>
  /** Connects one node, unless it is connected. */
  connect(node: Node): Promise<void>
  /** Returns the member of a node; undefined if the node is not connected. */
  find(node: Node): Member | undefined
  /** Adds a listener that is called when an engine stops to respond, and when it responds again. */
  onChange(listener: () => void): void
}

/** Time that a start of the daemon waits for the engines of nodes. */
const connectMs = 5_000

/** Connects the engines of nodes as the database has them. One that hangs is away: nobody waits for it. */
export async function createConnections(options: FleetOptions): Promise<Connections> {
  const { store, vault, clock, logger, allowInsecure } = options
  const connected = new Map<string, { readonly key: string; readonly member: Member }>()
  const listeners: (() => void)[] = []
  const locks = createLocks()
  const fateOf = createFates(store)
  const changed = () => {
    for (const listener of listeners) listener()
  }

  async function open(
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

  const own = await open('local', options.ownAddress, { publishOn: null, wasAway: false })

  function draftOf({ name, endpoint, address, tls }: Node): NodeDraft {
    return { name, endpoint, address, tls: tls && { ...tls, key: vault.open(tls.key) } }
  }

  async function connectNode(node: Node): Promise<void> {
    const draft = draftOf(node)
    const key = keyOf(draft)
    const known = connected.get(node.endpoint)
    if (known?.key === key) return
    await known?.member.close()
    connected.delete(node.endpoint)
    const address = engineAddressOf(draft, { allowInsecure })
    const wasAway = node.state === 'down'
    const member = await open(node.name, address, { publishOn: node.address, wasAway })
    connected.set(node.endpoint, { key, member })
    await withDeadline(
      member.probe().then(
        () => {},
        (error: Error) => logger.warn({ node: node.name }, error.message),
      ),
      { clock, ms: connectMs },
    )
  }

  async function connectAll(): Promise<void> {
    const nodes = (await store.nodes.list()).filter(({ endpoint }) => endpoint !== 'local')
    const endpoints = new Set(nodes.map(({ endpoint }) => endpoint))
    for (const [endpoint, { member }] of connected) {
      if (endpoints.has(endpoint)) continue
      connected.delete(endpoint)
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

  return {
    own,
    others: () => [...connected.values()].map(({ member }) => member),
    refresh: () => locks.run('refresh', connectAll),
    connect: (node) => locks.run('refresh', () => connectNode(node)),
    find: ({ endpoint }) => (endpoint === 'local' ? own : connected.get(endpoint)?.member),
    onChange: (listener) => void listeners.push(listener),
  }
}

/** Returns the function that decides what becomes of a container that an engine brings back. */
function createFates({ environments, scheduleRuns }: FleetOptions['store']): FateOf {
  return async (environmentId, app) => {
    const row = await environments.find(environmentId)
    if (!row || !(isLive(row.state) || row.state === 'building')) return 'remove'
    // Programs of a person run beside a sleeping app, too.
    if (!app) return 'run'
    if (isScheduleProcess(app.process)) {
      const runs = await scheduleRuns.listRunning()
      const isExpected = runs.some(
        (run) => run.environmentId === environmentId && scheduleProcess(run.name) === app.process,
      )
      return isExpected ? 'run' : 'remove'
    }
    return row.state === 'running' || row.state === 'building' ? 'run' : 'stop'
  }
}

/** Returns the members as the adapters that spread over them see them. */
export function createMembers(
  { store, logger }: Pick<FleetOptions, 'store' | 'logger'>,
  connections: Connections,
): Members {
  const { own } = connections

  async function ofNode(nodeId: number | undefined): Promise<Member> {
    if (nodeId === undefined) return own
    const node = await store.nodes.find(nodeId)
    if (!node) throw new DaemonError('unprocessable', `there is no node ${nodeId} any more`)
    return memberOf(connections, node)
  }

  const members: Members = {
    own,
    ofNode,
    all: () => [own, ...connections.others()],
    async ofEnvironment(environmentId) {
      const row = await store.environments.find(environmentId)
      return row && ofNode(row.nodeId)
    },
    async recordedOf(member) {
      const nodes = (await store.nodes.list()).filter((node) => connections.find(node) === member)
      const rows: Environment[] = await store.environments.listByState(['running'])
      return rows.filter(({ nodeId }) => nodes.some(({ id }) => id === nodeId))
    },
    async carryImage(folder, to) {
      const image = (await readImageRelease(folder))?.imageId
      if (
        image === undefined ||
        connections.others().length === 0 ||
        (await hasImage(to.engine, image))
      )
        return
      for (const from of members.all()) {
        if (from === to || from.away() !== undefined) continue
        if (!(await from.use(() => hasImage(from.engine, image)))) continue
        logger.info({ image, from: from.name, to: to.name }, 'an image moves to another engine')
        return carryImage(image, from.engine, to.engine)
      }
    },
  }

  return members
}

/** Returns the member of a node. Throws `transient` if the node is not connected. */
export function memberOf(connections: Pick<Connections, 'find'>, node: Node): Member {
  const member = connections.find(node)
  if (member) return member
  const { name } = node
  throw new DaemonError('transient', `node ${name} is not connected: see the log of the daemon`)
}

/** Returns a digest of what makes a node's connection, so that a corrected node is connected again. */
function keyOf({ endpoint, address, tls }: NodeDraft): string {
  const parts = [endpoint, address, tls?.ca, tls?.cert, tls?.key.reveal()]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
