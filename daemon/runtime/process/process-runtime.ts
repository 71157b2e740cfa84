import type { Clock, Runtime } from '../../ports.ts'
import { adoptInstances } from './adopt.ts'
import { readCapacity } from './capacity.ts'
import { type AppLimits, createAppLimits } from './cgroups.ts'
import { createExitWatch } from './exit-watch.ts'
import { awaitHealthy } from './health-gate.ts'
import { createInstanceFiles } from './instance-file.ts'
import { createLanes } from './lanes.ts'
import { createPortPool, type PortRange } from './port-pool.ts'
import { createRunningApps } from './running-apps.ts'
import type { RuntimeLogs } from './runtime-logs.ts'
import { startApp } from './start-app.ts'
import { stopApp } from './stop-app.ts'

export interface ProcessRuntimeOptions {
  /** For `instances/`. */
  readonly folder: string
  readonly clock: Clock
  /** Without logs the output of apps is thrown away. */
  readonly logs?: RuntimeLogs
  /** Below the ports that the system gives to outgoing connections (`ip_local_port_range`). */
  readonly ports?: PortRange
  /** How long a port rests after its app has ended. */
  readonly portRestMs?: number
  /** Whom apps run as; needs root. The release folders must be readable for them. */
  readonly appUser?: { readonly uid: number; readonly gid: number } | null
  /** A control group that was handed to the daemon, for limits on memory and processes. */
  readonly cgroup?: string | null
  /** The daemon's environment: PATH, LANG and TZ of apps come from it. */
  readonly hostEnv?: Readonly<NodeJS.ProcessEnv>
  /** Told of what went wrong and harms no caller. */
  readonly report?: (note: string, error?: unknown) => void
}

export interface ProcessRuntime extends Runtime {
  /** Which limits apps run under. */
  readonly limits: AppLimits['kind']
  /** The daemon ends: apps go on, timers don't. */
  close(): void
}

/**
 * Runs apps as processes of this host that outlive the daemon; the next one finds them by what is written down in
 * `folder`. Needs Linux (`/proc`).
 */
export function createProcessRuntime({
  folder,
  clock,
  logs,
  ports: range = { from: 20_000, to: 29_999 },
  portRestMs = 10 * 60_000,
  appUser = null,
  cgroup = null,
  hostEnv = process.env,
  report = () => {},
}: ProcessRuntimeOptions): ProcessRuntime {
  const limits = createAppLimits(cgroup)
  const files = createInstanceFiles(`${folder}/instances`)
  const ports = createPortPool(range, { clock, restMs: portRestMs })
  const watch = createExitWatch(500)
  const inLane = createLanes()
  const apps = createRunningApps({
    clock,
    files,
    ports,
    watch,
    limits,
    report,
    ...(logs && { logs }),
  })
  const context = { apps, clock, files, ports, limits, appUser, hostEnv, report, logs }
  let adopting: Promise<void> | undefined

  /** What a daemon before this one left is taken over before anything else is done. */
  function adopted(): Promise<void> {
    adopting ??= adoptInstances(context).catch((error) => {
      adopting = undefined
      throw error
    })
    return adopting
  }

  return {
    limits: limits.kind,
    async start(app) {
      await adopted()
      return inLane(app.name, () => startApp(app, context))
    },
    async list() {
      await adopted()
      return apps.list()
    },
    async stop(name, graceMs) {
      await adopted()
      await inLane(name, () => stopApp(name, graceMs, { apps, clock, watch }))
    },
    onExit: apps.onExit,
    awaitHealthy: (instance, health, signal) =>
      awaitHealthy(instance, health, signal, { apps, clock, report, ...(logs && { logs }) }),
    capacity: () => readCapacity(),
    close: watch.close,
  }
}
