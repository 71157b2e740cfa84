import type { Locks } from '../../async/locks.ts'
import { endpointOf } from '../../domain/endpoints.ts'
import { instanceName } from '../../domain/process-names.ts'
import type { Environment, Node } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { BranchData, Fleet, Gateway, Runtime, Store } from '../../ports.ts'
import type { AppSupervisor } from './app-supervisor.ts'
import type { MovingApps } from './moving-apps.ts'
import type { OneOffRuns } from './one-offs.ts'
import type { Processes } from './processes.ts'
import type { ReleaseFolders } from './release-folders.ts'
import { drainMs, stopGraceMs } from './retire.ts'
import type { Routing } from './routing.ts'
import type { Schedules } from './schedules.ts'
import type { Branch } from './trash.ts'

/** Moves the data of branches between nodes, while their apps are stopped. */
export interface DataMoves {
  /**
   * Brings the data of a branch to the node of a new environment. The live environment is stopped for it, and its
   * visitors wait. Returns undefined if the data is there already.
   */
  bring(environment: Environment): Promise<DataMove | undefined>
  /** Brings the data of a branch without live environments into the data folder, such as for the trash. Idempotent. */
  bringHome(branch: Branch): Promise<void>
  /** Replaces the data of a live environment on its node by the content of a folder. Its visitors wait meanwhile. */
  load(live: Environment, folder: string, node: Node): Promise<void>
}

export interface DataMove {
  /** Call when the new environment serves, or if it is given up: the old copy, or the new one, is removed. */
  complete(): Promise<void>
  undo(): Promise<void>
}

/** Versions of a branch that may have kept a stopped container. */
const keptVersions = 10

export function createDataMoves(deps: {
  store: Pick<Store, 'nodes' | 'environments'>
  fleet: Fleet
  folders: Pick<ReleaseFolders, 'volume' | 'releasePath'>
  runtime: Runtime
  gateway: Gateway
  routing: Routing
  supervisor: AppSupervisor
  movingApps: MovingApps
  processes: Pick<Processes, 'start' | 'stop'>
  oneOffRuns: Pick<OneOffRuns, 'endOf'>
  schedules: Pick<Schedules, 'endOf'>
  locks: Locks
}): DataMoves {
  const { store, fleet, folders, runtime, gateway, routing, supervisor, movingApps, locks } = deps
  const { processes, oneOffRuns } = deps

  async function nodeOf(id: number): Promise<Node> {
    const node = await store.nodes.find(id)
    if (node) return node
    throw new DaemonError('unprocessable', `there is no node ${id} any more`)
  }

  async function dataOf({ projectId, branch }: Branch): Promise<BranchData> {
    return { projectId, folder: await folders.volume(projectId, branch) }
  }

  /** Stops the app of a live environment. Returns a function that starts it again. */
  async function halt(live: Environment): Promise<() => Promise<void>> {
    const { id } = live
    const end = movingApps.begin(id)
    const resume = async () => {
      end()
      const row = await store.environments.find(id)
      if (row?.state !== 'running') return
      supervisor.restartNow(row)
      processes.start(row)
    }
    try {
      await locks.run(id, async () => {
        const row = await store.environments.find(id)
        if (row?.state !== 'running') return
        supervisor.forget(id)
        await routing.hold(row)
        const endpoint = endpointOf(row)
        if (endpoint) await gateway.drained(endpoint, drainMs)
        await Promise.all([runtime.stop(instanceName(id), stopGraceMs), processes.stop(id, 'stop')])
      })
      await Promise.all([oneOffRuns.endOf(live), deps.schedules.endOf(live)])
      return resume
    } catch (error) {
      await resume()
      throw error
    }
  }

  async function moveLive(live: Environment, from: Node, to: Node): Promise<DataMove | undefined> {
    const data = await dataOf(live)
    try {
      // Asks first, so that the app of a node without an answer is left alone.
      await fleet.capacity(from)
    } catch (error) {
      if (fleet.isKnownEmpty(live.id)) return undefined
      throw noData(from, error)
    }
    const resume = await halt(live)
    try {
      await fleet.copyData(data, from, to)
    } catch (error) {
      await resume()
      throw error
    }
    return {
      async complete() {
        // A stopped container would hold the volume.
        await runtime.remove(instanceName(live.id), 0)
        await processes.stop(live.id, 'remove')
        await fleet.removeData(data, from)
      },
      async undo() {
        await resume()
        await fleet.removeData(data, to)
      },
    }
  }

  /** Brings data that the data folder keeps, such as data from the trash. */
  async function moveKept(branch: Branch, to: Node): Promise<DataMove> {
    const data = await dataOf(branch)
    await fleet.copyData(data, null, to)
    return {
      complete: () => fleet.removeData(data, null),
      undo: () => fleet.removeData(data, to),
    }
  }

  /** `next` is the node of the next version, which may find the data where it is. */
  async function bringHome({ projectId, branch }: Branch, next?: Node): Promise<void> {
    const rows = await store.environments.list(projectId, branch)
    const last = rows.findLast(({ containerName }) => containerName !== null)
    const node = last && (await store.nodes.find(last.nodeId))
    if (!node || !fleet.keepsData(node) || (next && fleet.sharesData(node, next))) return
    const data = await dataOf({ projectId, branch })
    // Stopped containers of earlier versions would hold the volume.
    for (const { id } of rows.slice(-keptVersions)) await runtime.remove(instanceName(id), 0)
    if (await fleet.hasData(data, node)) await fleet.copyData(data, node, null)
    await fleet.removeData(data, node)
  }

  return {
    async bring(environment) {
      const to = await nodeOf(environment.nodeId)
      if (environment.release !== null) {
        await fleet.prepare(folders.releasePath(environment.release), to)
      }
      const live = await store.environments.findLive(environment.projectId, environment.branch)
      if (live) {
        const from = await nodeOf(live.nodeId)
        return fleet.sharesData(from, to) ? undefined : moveLive(live, from, to)
      }
      await bringHome(environment, to)
      const isElsewhere = fleet.keepsData(to)
      return isElsewhere && (await fleet.hasData(await dataOf(environment), null))
        ? moveKept(environment, to)
        : undefined
    },

    bringHome: (branch) => bringHome(branch),

    async load(live, folder, node) {
      // Asks first, so that the app of a node without an answer is left alone.
      await fleet.capacity(node)
      const resume = await halt(live)
      try {
        await fleet.loadData(await dataOf(live), folder, node)
      } finally {
        await resume()
      }
    },
  }
}

function noData({ name }: Node, cause: unknown): DaemonError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DaemonError(
    'transient',
    `the data of the branch is on node ${name}, which does not respond: start its engine (${reason})`,
  )
}
