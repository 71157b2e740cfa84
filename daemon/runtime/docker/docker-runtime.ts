import { createLocks } from '../../async/locks.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { probeEngine } from '../../engine/version.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, UsageProbe } from '../../ports.ts'
import { readCapacity } from '../process/capacity.ts'
import { awaitContainer } from './container-health.ts'
import type { LineLogs } from './container-logs.ts'
import type { ContainerUser } from './container-spec.ts'
import { createContainerStops } from './container-stops.ts'
import { createContainers, type RunningContainer } from './containers.ts'
import { createEngineSync, type FateOf } from './engine-sync.ts'
import { createNamedVolumes, type NamedVolumes } from './named-volumes.ts'
import { createNetworks } from './networks.ts'
import { type StartContext, startContainer } from './start-container.ts'
import { readUsage } from './usage.ts'
import { createVolumeSizes } from './volume-sizes.ts'
import { createVolumeUsers, type VolumeUsers } from './volume-users.ts'

export interface DockerRuntimeOptions {
  readonly engine: Engine
  readonly ownership: Ownership
  readonly clock: Clock
  readonly logs: LineLogs
  /** Address of the node on which the ports of apps are published, and at which the gateway reaches them. */
  readonly host: string
  /** User of apps whose image names none, or root. */
  readonly user: ContainerUser
  /** True: data is in volumes of the engine, because the engine does not see the folders of this host. */
  readonly hasOwnVolumes?: boolean
  /** Returns what to do with a container that an engine brings back after it was away. Default: `run`. */
  readonly fateOf?: FateOf
  /** Called after each comparison with the engine; `fault` is the reason why it failed. */
  readonly compared?: (fault: Error | undefined) => void
  /** True: the engine was away before this daemon started. */
  readonly wasAway?: boolean
  /** Called with faults that do not fail a caller's operation. */
  readonly report?: (note: string, error?: unknown) => void
}

export interface DockerRuntime extends Runtime {
  readonly volumes: NamedVolumes | undefined
  readonly volumeUsers: VolumeUsers
  /** Returns the bytes of the engine's volumes by project id. May be a minute old. */
  readonly volumeSizes: () => Promise<ReadonlyMap<number, number>>
  /** Compares with the engine now. Throws EngineError if the engine does not respond. */
  compare(): Promise<void>
  /** Call when the engine was found away: unwanted containers end at the next comparison. */
  setAway(): void
  readonly usage: UsageProbe
  /** Removes the network of a deleted project. */
  removeProject(projectId: number): Promise<void>
  /** Stops the watch. Containers continue to run, and the next daemon adopts them. */
  close(): Promise<void>
}

/**
 * Runs apps as containers of one Docker engine. They outlive the daemon and, with live-restore, the engine. The next
 * daemon adopts the containers whose labels it has sealed.
 */
export function createDockerRuntime({
  engine,
  ownership,
  clock,
  logs,
  host,
  user,
  hasOwnVolumes = false,
  fateOf = async () => 'run',
  compared = () => {},
  wasAway = false,
  report = () => {},
}: DockerRuntimeOptions): DockerRuntime {
  const reportFault = (error: unknown) => report(`the engine ${engine.name} failed`, error)
  const containers = createContainers({ clock, report: reportFault })
  const networks = createNetworks(engine, ownership)
  const volumes = hasOwnVolumes ? createNamedVolumes(engine, ownership) : undefined
  const volumeUsers = createVolumeUsers(engine, ownership)
  const locks = createLocks()
  const context: StartContext = {
    ...{ engine, ownership, containers, networks, logs, clock, host, user, volumes },
    report: reportFault,
  }
  const { ensureAdopted, ...sync } = createEngineSync({
    ...{ engine, ownership, clock, logs, containers, volumeUsers, locks, host },
    ...{ fateOf, compared, wasAway },
    report: { note: (text) => report(text), fault: reportFault },
  })

  const stops = createContainerStops({ engine, ownership, containers })

  return {
    volumes,
    volumeUsers,
    volumeSizes: createVolumeSizes(engine, ownership, clock),
    setAway: sync.unfence,
    compare: sync.compare,
    async start(app) {
      await ensureAdopted()
      return locks.run(app.name, async () => (await startContainer(app, context)).instance)
    },
    async list() {
      await ensureAdopted()
      return new Map([...containers.list()].map(([name, { instance }]) => [name, instance]))
    },
    async stop(name, graceMs) {
      await ensureAdopted()
      await locks.run(name, async () => {
        if (await stops.owns(name)) await stops.stop(name, graceMs)
      })
    },
    async remove(name, graceMs) {
      await ensureAdopted()
      await locks.run(name, async () => {
        if (await stops.owns(name)) await stops.remove(name, graceMs)
      })
    },
    onExit: containers.onExit,
    async awaitHealthy(instance, health, signal) {
      const container: RunningContainer | undefined = containers.find(instance.name)
      if (container?.instance !== instance) {
        throw new DaemonError('unprocessable', 'the app has ended before it answered')
      }
      const isLocal = !hasOwnVolumes && engine.address.kind === 'unix'
      const before = sync.interruptions()
      await awaitContainer(container, health, signal, { clock, logs, isLocal }).catch((error) => {
        if (sync.interruptions() === before || signal.aborted) throw error
        // The fault is the engine's, and no result of the app: a deploy tries again.
        throw new DaemonError(
          'transient',
          `the engine ${engine.name} was interrupted while the app started`,
        )
      })
    },
    async capacity() {
      const info = await probeEngine(engine)
      if (engine.address.kind === 'unix') {
        const { memoryBytes, memoryFreeBytes, cpuCount } = await readCapacity()
        return { memoryBytes: Math.min(memoryBytes, info.memoryBytes), memoryFreeBytes, cpuCount }
      }
      const used = [...containers.list().values()].reduce((sum, each) => sum + each.memoryMb, 0)
      const memoryFreeBytes = Math.max(0, info.memoryBytes - used * 2 ** 20)
      return { memoryBytes: info.memoryBytes, memoryFreeBytes, cpuCount: info.cpuCount }
    },
    usage: { read: () => readUsage(engine, [...containers.list().values()]) },
    removeProject: (projectId) => networks.remove(projectId),
    async close() {
      sync.close()
      await Promise.all([...containers.list().values()].map(({ log }) => log.leave()))
    },
  }
}
