import { join } from 'node:path'
import { createBuilder } from './build/builder.ts'
import type { Config } from './config.ts'
import type { ProcessLogs } from './logs/logs.ts'
import type { Builder, Clock, Logger, OneOffs, Runtime, UsageProbe, Wall, Walls } from './ports.ts'
import { createProcessOneOffs } from './runtime/process/one-offs.ts'
import { createProcessRuntime } from './runtime/process/process-runtime.ts'
import { createPortWall } from './walls/ports/port-wall.ts'
import { createGroupWalls } from './walls/walls.ts'

/** The adapters that build and run apps as processes of this host. */
export interface ProcessHosting {
  readonly builder: Builder
  readonly runtime: Runtime
  readonly oneOffs: OneOffs
  readonly usageProbe: UsageProbe
  status(): readonly Wall[]
  /** Ends apps that took a port of the daemon, and closes the ports of apps to others. */
  start(): Promise<void>
  close(): Promise<void>
}

export function createProcessHosting(
  config: Config,
  {
    logs,
    walls,
    clock,
    logger,
    env,
  }: {
    logs: ProcessLogs
    walls: Walls
    clock: Clock
    logger: Logger
    env: Readonly<Record<string, string | undefined>>
  },
): ProcessHosting {
  const place = (name: string) => join(config.dataDir, name)
  const daemonPorts = [config.address.port, config.gatewayAddress.port]
  const portWall = createPortWall({
    range: config.appPorts,
    daemonPorts: daemonPorts.filter((port) => port > 0),
    projectUids: config.uidRange,
    dataDir: config.dataDir,
    logger,
  })
  const builder = createBuilder({
    cacheFolder: place('cache'),
    env,
    limits: {
      memoryMb: config.defaultMemoryMb,
      pids: config.defaultPids,
      buildMemoryMb: config.buildMemoryMb,
    },
    sharesNpmAuth: config.sharesNpmAuth,
    siteServer: join(import.meta.dirname, 'strata-serve.cjs'),
    walls,
    clock,
  })
  const runtime = createProcessRuntime({
    folder: place('runtime'),
    clock,
    logs,
    walls,
    ports: config.appPorts,
    portWall,
    reservedPorts: daemonPorts,
    hostEnv: env,
    report: (note, err) =>
      err === undefined ? logger.warn({}, note) : logger.error({ err }, note),
  })
  const oneOffs = createProcessOneOffs({ dataDir: config.dataDir, walls, clock, hostEnv: env })
  return {
    builder,
    runtime,
    oneOffs,
    usageProbe: runtime.usage,
    status: () => [...walls.status(), portWall.status()],
    async start() {
      await Promise.all([portWall.start(), runtime.reclaimPorts(), oneOffs.endLeftovers()])
    },
    async close() {
      portWall.stop()
      runtime.close()
    },
  }
}

/** Stops the apps of the previous daemon before a restore replaces their data. The reconciler starts them again. */
export async function stopProcesses(dataDir: string, clock: Clock): Promise<void> {
  const walls = createGroupWalls(dataDir)
  const runtime = createProcessRuntime({ folder: join(dataDir, 'runtime'), clock, walls })
  try {
    const names = [...(await runtime.list()).keys()]
    await Promise.all(names.map((name) => runtime.stop(name, 5_000)))
  } finally {
    runtime.close()
  }
}
