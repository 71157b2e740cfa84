import { join } from 'node:path'
import { createImageBuilder } from './build/image/image-builder.ts'
import type { Config } from './config.ts'
import type { DockerSettings } from './docker-settings.ts'
import { createEngine } from './engine/engine.ts'
import { openOwnership } from './engine/ownership.ts'
import { probeEngine } from './engine/version.ts'
import { createFleet } from './fleet/fleet.ts'
import { createFleetBuilder } from './fleet/fleet-builder.ts'
import { createFleetOneOffs } from './fleet/fleet-one-offs.ts'
import { createFleetRuntime } from './fleet/fleet-runtime.ts'
import type { Member } from './fleet/member.ts'
import { isElsewhere } from './fleet/node-engine.ts'
import type { ProcessLogs } from './logs/logs.ts'
import type {
  Builder,
  Clock,
  EngineCheck,
  Fleet,
  Logger,
  OneOffs,
  ProxyProgram,
  Runtime,
  Store,
  UsageProbe,
  Vault,
  Walls,
} from './ports.ts'
import { createDockerRuntime } from './runtime/docker/docker-runtime.ts'
import { createContainerOneOffs } from './runtime/docker/one-offs.ts'
import { stopContainers } from './runtime/docker/stop-containers.ts'
import type { ProxyPolls } from './traefik/proxy-polls.ts'
import { createTraefikContainer } from './traefik/traefik-container.ts'
import { createContainerWalls } from './walls/container-walls.ts'

/** The adapters that build and run apps as containers of the engines of a fleet. */
export interface DockerHosting {
  readonly builder: Builder
  readonly runtime: Runtime
  readonly oneOffs: OneOffs
  readonly usageProbe: UsageProbe
  readonly walls: Walls
  readonly fleet: Fleet
  /** Probes the engine for the status of the installation. Never throws. */
  readonly check: () => Promise<EngineCheck>
  /** Creates the container of a proxy on the daemon's own engine. */
  readonly proxyProgram: (polls: Pick<ProxyPolls, 'read' | 'nextPoll'>) => ProxyProgram
  close(): Promise<void>
}

/**
 * Connects to the engine. Throws DaemonError with the setting to change if the engine can't be used: a daemon without its
 * engine could run no app. Nodes that do not respond are connected later.
 */
export async function createDockerHosting(
  config: Config,
  { address, images }: DockerSettings,
  deps: { logs: ProcessLogs; clock: Clock; logger: Logger; store: Store; vault: Vault },
): Promise<DockerHosting> {
  const { dataDir } = config
  const { logs, clock, logger, store, vault } = deps
  const engine = createEngine(address)
  const { version, limits } = await probeEngine(engine)
  logger.info({ engine: engine.name, version }, 'apps run as containers of the engine')
  const ownership = openOwnership(join(dataDir, 'runtime'), dataDir)
  const user = containerUser()
  const fleet = await createFleet({
    ...{ store, vault, ownership, clock, logger },
    allowInsecure: config.allowInsecureNodes,
    ownAddress: address,
    adapters: (engine, options) => {
      const runtime = createDockerRuntime({
        ...{ engine, ownership, clock, logs, user, ...options },
        report: (note, err) =>
          err === undefined ? logger.warn({}, note) : logger.error({ err }, note),
      })
      const { volumes } = runtime
      const builder = createImageBuilder({
        ...{ engine, ownership, images },
        releasesFolder: join(dataDir, 'releases'),
        limits: { memoryMb: config.defaultMemoryMb, pids: config.defaultPids },
      })
      const oneOffs = createContainerOneOffs({ engine, ownership, clock, user, volumes })
      return { runtime, builder, oneOffs }
    },
  })
  const { members } = fleet
  await members.own.oneOffs.endLeftovers()
  const { usage, ...runtime } = createFleetRuntime(members)
  const walls = createContainerWalls({
    ...{ volumes: join(dataDir, 'volumes'), limits, user },
    async removeProject(projectId) {
      const reached = members.all().filter((member) => member.away() === undefined)
      await Promise.all(
        reached.map((member) => member.use(() => member.runtime.removeProject(projectId))),
      )
    },
  })
  return {
    ...{
      builder: createFleetBuilder(members),
      runtime,
      walls,
      oneOffs: createFleetOneOffs(members),
    },
    ...{ usageProbe: usage, fleet },
    async check() {
      try {
        const info = await probeEngine(engine)
        return describeEngines(`Docker ${info.version} at ${engine.name}`, members.all())
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error)
        return { ok: false, detail, next: 'start the engine of DOCKER_HOST: no app can start' }
      }
    },
    proxyProgram: (polls) =>
      createTraefikContainer({
        ...{ engine, ownership, clock, polls },
        endpoint: proxyEndpoint(config, address),
        port: config.proxy.port,
        image: config.proxy.image,
      }),
    close: fleet.close,
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

/** Returns the URL at which a container in the network of the host reads `/proxy/config`. */
function proxyEndpoint(
  { address: { host, port }, tls }: Pick<Config, 'address' | 'tls'>,
  engine: DockerSettings['address'],
): { readonly url: string } | { readonly fault: string } {
  if (isElsewhere(engine)) return { fault: 'let DOCKER_HOST name an engine of this machine' }
  if (tls) return { fault: 'remove SERVICE_TLS_CERT, because Traefik serves TLS itself' }
  if (port === 0) return { fault: 'give SERVICE_ADDR a port' }
  const own = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const name = own.includes(':') ? `[${own}]` : own
  return { url: `http://${name}:${port}/api/v1/proxy/config` }
}

/** Returns the state of the fleet for the status of the installation. */
function describeEngines(own: string, members: readonly Member[]): EngineCheck {
  const away = members.flatMap((member) => {
    const reason = member.away()
    return reason === undefined ? [] : [`${member.name} (${reason})`]
  })
  const count = members.length > 1 ? `; engines of nodes: ${members.length - 1}` : ''
  if (away.length === 0) return { ok: true, detail: `${own}${count}` }
  const next = 'start the engine of each node that does not respond, or drain it: strata node list'
  return { ok: false, detail: `${own}${count}; no answer from ${away.join(', ')}`, next }
}

/** A daemon of root has apps of the first ordinary user. Another daemon must be able to remove the data of its apps. */
function containerUser(): { uid: number; gid: number } {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  return uid === 0 ? { uid: 1000, gid: 1000 } : { uid, gid }
}
