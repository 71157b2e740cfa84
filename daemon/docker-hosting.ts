import { join } from 'node:path'
import { createImageBuilder } from './build/image/image-builder.ts'
import type { Config } from './config.ts'
import type { DockerSettings } from './docker-settings.ts'
import { ownHost } from './domain/endpoints.ts'
import { createEngine } from './engine/engine.ts'
import { openOwnership } from './engine/ownership.ts'
import { probeEngine } from './engine/version.ts'
import type { ProcessLogs } from './logs/logs.ts'
import type {
  Builder,
  Clock,
  EngineCheck,
  Logger,
  OneOffs,
  Runtime,
  UsageProbe,
  Walls,
} from './ports.ts'
import { createDockerRuntime } from './runtime/docker/docker-runtime.ts'
import { createContainerOneOffs } from './runtime/docker/one-offs.ts'
import { stopContainers } from './runtime/docker/stop-containers.ts'
import { createContainerWalls } from './walls/container-walls.ts'

/** The adapters that build and run apps as containers of one engine. */
export interface DockerHosting {
  readonly builder: Builder
  readonly runtime: Runtime
  readonly oneOffs: OneOffs
  readonly usageProbe: UsageProbe
  readonly walls: Walls
  /** Probes the engine for the status of the installation. Never throws. */
  readonly check: () => Promise<EngineCheck>
  close(): Promise<void>
}

/**
 * Connects to the engine. Throws DaemonError with the setting to change if the engine can't be used: a daemon without its
 * engine could run no app.
 */
export async function createDockerHosting(
  config: Config,
  { address, images }: DockerSettings,
  { logs, clock, logger }: { logs: ProcessLogs; clock: Clock; logger: Logger },
): Promise<DockerHosting> {
  const { dataDir } = config
  const engine = createEngine(address)
  const { version, limits } = await probeEngine(engine)
  logger.info({ engine: engine.name, version }, 'apps run as containers of the engine')
  const ownership = openOwnership(join(dataDir, 'runtime'), dataDir)
  const runtime = createDockerRuntime({
    ...{ engine, ownership, clock, logs, host: ownHost, user: containerUser() },
    report: (note, err) => logger.error({ err }, note),
  })
  const oneOffs = createContainerOneOffs({ engine, ownership, clock, user: containerUser() })
  await oneOffs.endLeftovers()
  const builder = createImageBuilder({
    ...{ engine, ownership, images },
    releasesFolder: join(dataDir, 'releases'),
    limits: { memoryMb: config.defaultMemoryMb, pids: config.defaultPids },
  })
  const walls = createContainerWalls({
    ...{ volumes: join(dataDir, 'volumes'), limits },
    removeProject: runtime.removeProject,
  })
  return {
    ...{ builder, runtime, oneOffs, walls, usageProbe: runtime.usage },
    async check() {
      try {
        const info = await probeEngine(engine)
        return { ok: true, detail: `Docker ${info.version} at ${engine.name}` }
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error)
        return { ok: false, detail, next: 'start the engine of DOCKER_HOST: no app can start' }
      }
    },
    close: runtime.close,
  }
}

/** Stops the containers of this data folder before a restore replaces their data. */
export async function stopAllContainers(
  { dataDir }: Pick<Config, 'dataDir'>,
  { address }: DockerSettings,
): Promise<void> {
  const engine = createEngine(address)
  await stopContainers(engine, openOwnership(join(dataDir, 'runtime'), dataDir))
}

/** A daemon of root has apps of the first ordinary user. Another daemon must be able to remove the data of its apps. */
function containerUser(): { uid: number; gid: number } {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  return uid === 0 ? { uid: 1000, gid: 1000 } : { uid, gid }
}
