import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../../daemon/clock.ts'
import {
  createGateway,
  type GatewayDeps,
  type SupervisedGateway,
} from '../../../../daemon/gateway/gateway.ts'
import { connectLink } from '../../../../daemon/gateway/link.ts'
import type { Route } from '../../../../daemon/ports.ts'
import { freePort } from '../../free-port.ts'

/** Command line of the gateway's program, run from the sources. */
export const program: readonly string[] = [
  process.execPath,
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL('../../../../daemon/gateway/main.ts', import.meta.url)),
]

export interface Place {
  readonly folder: string
  readonly port: number
}

export interface Started extends Place {
  readonly gateway: SupervisedGateway
  /** Log messages of the daemon's side. */
  readonly logged: string[]
  /** Returns the pid of the current gateway process, 0 if none. */
  pid(): Promise<number>
}

export const host = 'main--shop.localhost'

export function routeTo(port: number | null, changes: Partial<Route> = {}): Route {
  const route = { hostname: host, environmentId: 1, projectId: 1, port, wakeBudgetMs: 20_000 }
  return { ...route, ...changes }
}

export async function newPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
  places.push(folder)
  return { folder, port: await freePort() }
}

/** Creates the daemon's side of a gateway, without starting it. */
export function gatewayAt(place: Place, changes: Partial<GatewayDeps> = {}): Started {
  const logged: string[] = []
  const keep = (_: object, message: string) => void logged.push(message)
  const gateway = createGateway({
    argv: program,
    address: { host: '127.0.0.1', port: place.port },
    folder: place.folder,
    version: '1',
    clock: systemClock,
    log: { info: keep, warn: keep },
    ...changes,
  })
  gateways.push(gateway)
  return { ...place, gateway, logged, pid: () => pidAt(place.folder) }
}

/** Starts a gateway on a free port. */
export async function startGateway(changes: Partial<GatewayDeps> = {}): Promise<Started> {
  const started = gatewayAt(await newPlace(), changes)
  await started.gateway.start()
  return started
}

async function pidAt(folder: string): Promise<number> {
  const link = await connectLink(join(folder, 'gateway.sock'), 2_000)
  link?.close()
  return link?.pid ?? 0
}

const places: string[] = []
const gateways: SupervisedGateway[] = []

/** Kills all started gateways and removes their folders. */
export async function endGateways(): Promise<void> {
  for (const gateway of gateways.splice(0)) gateway.close()
  for (const folder of places.splice(0)) {
    const pid = await pidAt(folder)
    if (pid > 0) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
