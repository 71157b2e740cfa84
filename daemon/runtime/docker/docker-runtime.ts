import { createLocks } from '../../async/locks.ts'
import { type LogKey, logKey, parseInstanceName } from '../../domain/process-names.ts'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus, isUnreachable } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { probeEngine } from '../../engine/version.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, UsageProbe } from '../../ports.ts'
import { readCapacity } from '../process/capacity.ts'
import { awaitContainer } from './container-health.ts'
import { followContainer, type LineLogs } from './container-logs.ts'
import type { ContainerUser } from './container-spec.ts'
import { createContainers, type RunningContainer } from './containers.ts'
import { endContainer } from './end-container.ts'
import { watchEngine } from './engine-watch.ts'
import { inspectContainer, type ListedContainer, listContainers } from './inspect.ts'
import { createNamedVolumes, type NamedVolumes } from './named-volumes.ts'
import { createNetworks } from './networks.ts'
import { containerNameOf, type StartContext, startContainer } from './start-container.ts'
import { readUsage } from './usage.ts'

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
  readonly fateOf?: (environmentId: number) => Promise<ContainerFate>
  /** Called after each comparison with the engine; `fault` is the reason why it failed. */
  readonly compared?: (fault: Error | undefined) => void
  /** True: the engine was away before this daemon started. */
  readonly wasAway?: boolean
  /** Called with faults that do not fail a caller's operation. */
  readonly report?: (note: string, error?: unknown) => void
}

/** `stop` keeps the container for the next start; `remove` does not. */
export type ContainerFate = 'run' | 'stop' | 'remove'

export interface DockerRuntime extends Runtime {
  readonly volumes: NamedVolumes | undefined
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

/** Time for the engine beyond the grace period of a stop. */
const stopMarginMs = 20_000

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
  const locks = createLocks()
  const context: StartContext = {
    ...{ engine, ownership, containers, networks, logs, clock, host, user, volumes },
    report: reportFault,
  }
  let adopting: Promise<void> | undefined
  let watch: { close(): void } | undefined
  let isFenced = !wasAway
  /** Number of times that the engine went away. */
  let interruptions = 0

  /** Every operation waits until the containers of the previous daemon are adopted. */
  function ensureAdopted(): Promise<void> {
    adopting ??= sync(true)
      .then(() => {
        watch = watchEngine(engine, ownership.filter, {
          clock,
          ended: (id) => void handleEnd(id).catch(reportFault),
          resync: () => sync(false),
          away: setAway,
          report: reportFault,
        })
      })
      .catch((error) => {
        adopting = undefined
        throw error
      })
    return adopting
  }

  async function handleEnd(id: string): Promise<void> {
    const container = [...containers.list().values()].find((each) => each.id === id)
    if (!container) return
    const state = await inspectContainer(engine, id)
    if (!state?.isRunning) await containers.end(container, state)
  }

  function setAway(error: unknown): void {
    isFenced = false
    interruptions += 1
    compared(error instanceof Error ? error : new Error(String(error)))
  }

  async function sync(isFirst: boolean): Promise<void> {
    try {
      await compare(isFirst)
    } catch (error) {
      if (isUnreachable(error)) setAway(error)
      throw error
    }
    compared(undefined)
  }

  /** Ends what an engine that was away still runs of paused, moved and destroyed environments. */
  async function fence(listed: readonly ListedContainer[]): Promise<void> {
    await Promise.all(
      listed.map(async ({ id, name, labels, isRunning }) => {
        const fields = ownership.read(name, labels)
        if (fields?.role !== 'app') return
        const fate = await fateOf(fields.environmentId)
        if (fate === 'run' || (fate === 'stop' && !isRunning)) return
        report(`the engine ${engine.name} came back with ${name}: it is ended (${fate})`)
        await endContainer(engine, id, fate)
      }),
    )
  }

  /** Compares the registry with the engine: adopts what runs, and ends what does not. */
  async function compare(isFirst: boolean): Promise<void> {
    const before = new Set(containers.list().values())
    if (!isFenced) {
      await fence(await listContainers(engine, ownership.filter))
      isFenced = true
    }
    const listed = await listContainers(engine, ownership.filter)
    const runningIds = new Set(listed.filter(({ isRunning }) => isRunning).map(({ id }) => id))
    await Promise.all(
      [...before].filter(({ id }) => !runningIds.has(id)).map(({ id }) => handleEnd(id)),
    )
    for (const { id, name, labels, isRunning } of listed) {
      const fields = ownership.read(name, labels)
      if (fields?.role !== 'app') continue
      const { environmentId } = fields
      const appName = name.replace(`strata-${ownership.instance}-`, 'strata-')
      const parsed = parseInstanceName(appName)
      if (parsed?.environmentId !== environmentId) continue
      const key = logKey(environmentId, parsed.process)
      if (isRunning) await locks.run(appName, () => adopt(appName, environmentId, key, id))
      else if (isFirst) await catchUp(key, id)
    }
  }

  async function adopt(
    appName: string,
    environmentId: number,
    key: LogKey,
    id: string,
  ): Promise<void> {
    const known = containers.find(appName)
    const state = await inspectContainer(engine, id)
    if (!state?.isRunning || state.hostPort === null) return
    if (known?.id === id && known.instance.endpoints[0].port === state.hostPort) return
    // A restart of the engine may have given the container another port.
    if (known) await known.log.leave()
    const log = followContainer({ id, key, isNew: false }, context)
    containers.add(appName, state, { environmentId, memoryMb: state.memoryMb, host, log })
  }

  /** Reads the output that a container wrote before its end, while no daemon ran. */
  async function catchUp(key: LogKey, id: string): Promise<void> {
    await followContainer({ id, key, isNew: false }, context).end()
  }

  async function stop(name: string, graceMs: number): Promise<void> {
    const container = containers.find(name)
    if (container) container.isStopping = true
    const target = containerNameOf(name, ownership)
    try {
      await engine.call({
        method: 'POST',
        path: `/containers/${encodeURIComponent(target)}/stop`,
        query: { t: Math.ceil(graceMs / 1000) },
        timeoutMs: graceMs + stopMarginMs,
      })
    } catch (error) {
      if (!hasStatus(error, 404)) {
        if (container) container.isStopping = false
        throw error
      }
    }
    if (!container) return
    const state = await inspectContainer(engine, container.id)
    if (state?.isRunning) throw new DaemonError('internal', `${name} survives SIGKILL`)
    await containers.end(container, state)
  }

  /** Returns the container of this name only if its seal is the daemon's. */
  async function owns(name: string): Promise<boolean> {
    const target = containerNameOf(name, ownership)
    const state = await inspectContainer(engine, target)
    return state !== undefined && ownership.read(target, state.labels)?.role === 'app'
  }

  return {
    volumes,
    setAway() {
      isFenced = false
    },
    async compare() {
      if (watch) await sync(false)
      else await ensureAdopted()
    },
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
        if (await owns(name)) await stop(name, graceMs)
      })
    },
    async remove(name, graceMs) {
      await ensureAdopted()
      await locks.run(name, async () => {
        if (!(await owns(name))) return
        await stop(name, graceMs)
        const path = `/containers/${encodeURIComponent(containerNameOf(name, ownership))}`
        const call = { method: 'DELETE', path, query: { force: true, v: true } } as const
        await engine.call({ ...call, timeoutMs: 60_000 }).catch((error: unknown) => {
          if (!hasStatus(error, 404)) throw error
        })
      })
    },
    onExit: containers.onExit,
    async awaitHealthy(instance, health, signal) {
      const container: RunningContainer | undefined = containers.find(instance.name)
      if (container?.instance !== instance) {
        throw new DaemonError('unprocessable', 'the app has ended before it answered')
      }
      const isLocal = !hasOwnVolumes && engine.address.kind === 'unix'
      const before = interruptions
      await awaitContainer(container, health, signal, { clock, logs, isLocal }).catch((error) => {
        if (interruptions === before || signal.aborted) throw error
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
      watch?.close()
      await Promise.all([...containers.list().values()].map(({ log }) => log.leave()))
    },
  }
}
