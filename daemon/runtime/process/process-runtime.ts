import { createLocks } from '../../async/locks.ts'
import type { PortRange } from '../../domain/port-range.ts'
import { parseInstanceName } from '../../domain/process-names.ts'
import type { AppSpec, Clock, Runtime, UsageProbe, Walls } from '../../ports.ts'
import { adoptInstances } from './adopt.ts'
import { createAppProcesses } from './app-processes.ts'
import { createAppRegistry } from './app-registry.ts'
import { readCapacity } from './capacity.ts'
import { createExitWatch } from './exit-watch.ts'
import { awaitHealthy } from './health-gate.ts'
import { holdApp } from './hold-app.ts'
import { createInstanceFiles } from './instance-file.ts'
import { createPortPool, type FixedPortWall } from './port-pool.ts'
import { createPortWatch } from './port-watch.ts'
import type { ProcessInstance } from './process-instance.ts'
import type { RuntimeLogs } from './runtime-logs.ts'
import { startApp } from './start-app.ts'
import { stopApp } from './stop-app.ts'
import { readUsages } from './usage.ts'

export interface ProcessRuntimeOptions {
  /** Parent folder of the folder `instances`. */
  readonly folder: string
  readonly clock: Clock
  /** Destination of the apps' output. Without logs, the output is discarded. */
  readonly logs?: RuntimeLogs
  /** Port range of apps. Choose it below the system's range for outgoing connections (`ip_local_port_range`). */
  readonly ports?: PortRange
  readonly portWall?: FixedPortWall & { keep(ports: readonly number[]): Promise<void> }
  /** Ports that no app may have: those of the daemon and the gateway. */
  readonly reservedPorts?: readonly number[]
  /** Minimum time before the port of an ended app is reused. */
  readonly portCooldownMs?: number
  /** Apps run in the cells of their projects. */
  readonly walls: Walls
  /** The daemon's environment, the source of an app's PATH, LANG and TZ. */
  readonly hostEnv?: Readonly<NodeJS.ProcessEnv>
  /** Called with faults that do not fail a caller's operation. */
  readonly report?: (note: string, error?: unknown) => void
}

export interface ProcessRuntime extends Runtime {
  start(app: AppSpec): Promise<ProcessInstance>
  list(): Promise<ReadonlyMap<string, ProcessInstance>>
  /** Ends apps that took a port of the daemon or the gateway while these did not run. */
  reclaimPorts(): Promise<void>
  readonly usage: UsageProbe
  /** Stops the timers. Apps continue to run. */
  close(): void
}

/** Returns the groups of builds. */
function otherGroups(walls: Walls): string[] {
  return walls.groups().filter((group) => !parseInstanceName(group))
}

/**
 * Runs apps as processes of this host that outlive the daemon. The next daemon finds them by the instance files in
 * `folder`. Requires Linux (`/proc`).
 */
export function createProcessRuntime({
  folder,
  clock,
  logs,
  ports: range = { from: 21_000, to: 22_999 },
  portWall,
  reservedPorts = [],
  portCooldownMs = 10 * 60_000,
  walls,
  hostEnv = process.env,
  report = () => {},
}: ProcessRuntimeOptions): ProcessRuntime {
  const processes = createAppProcesses({ walls, clock })
  const files = createInstanceFiles(`${folder}/instances`)
  const ports = createPortPool(range, {
    clock,
    cooldownMs: portCooldownMs,
    reserved: reservedPorts,
    reclaim: (port) => portWatch.check(port),
    ...(portWall && { wall: portWall }),
  })
  const watch = createExitWatch(500)
  const locks = createLocks()
  const apps = createAppRegistry({
    clock,
    files,
    ports,
    watch,
    processes,
    report,
    ...(logs && { logs }),
  })
  const context = { apps, clock, files, ports, processes, walls, hostEnv, report, logs }
  logs?.onFlood((key, isHeld) => holdApp(key, isHeld, { apps, walls }))
  const portWatch = createPortWatch({
    range,
    reserved: reservedPorts,
    apps: () =>
      apps.alive().map((app) => ({
        ...{ port: app.instance.port, pid: app.identity.pid },
        pids: async () => (await processes.find(app.identity)).map(({ pid }) => pid),
        end: (reason) => apps.endForMisuse(app, reason),
      })),
    otherPids: () => otherGroups(walls).flatMap((group) => walls.members(group) ?? []),
    isProjectUser: walls.isProjectUser,
    report,
  })
  // The end of an app frees its port: another app may have waited for that.
  apps.onExit(() => void portWatch.check().catch(() => false))
  let adopting: Promise<void> | undefined

  /** Every operation waits until the apps of the previous daemon are adopted. */
  function ensureAdopted(): Promise<void> {
    adopting ??= adoptInstances(context)
      .then(() => {
        void portWall?.keep(ports.taken())
        portWatch.start()
      })
      .catch((error) => {
        adopting = undefined
        throw error
      })
    return adopting
  }

  /** A stopped app leaves nothing behind. */
  async function stop(name: string, graceMs: number): Promise<void> {
    await ensureAdopted()
    await locks.run(name, () => stopApp(name, graceMs, { apps, clock, watch }))
  }

  return {
    async start(app) {
      await ensureAdopted()
      return locks.run(app.name, () => startApp(app, context))
    },
    async list() {
      await ensureAdopted()
      return apps.list()
    },
    stop,
    remove: stop,
    onExit: apps.onExit,
    awaitHealthy: (instance, health, signal) =>
      awaitHealthy(instance, health, signal, {
        ...{ apps, clock, processes, report },
        ...(logs && { logs }),
      }),
    capacity: () => readCapacity(),
    usage: {
      async read() {
        await ensureAdopted()
        const running = apps.alive().map(({ instance, identity }) => ({
          environmentId: instance.environmentId,
          identity,
        }))
        return readUsages(running, walls)
      },
    },
    async reclaimPorts() {
      await ensureAdopted()
      await portWatch.check()
    },
    close() {
      watch.close()
      portWatch.close()
    },
  }
}
