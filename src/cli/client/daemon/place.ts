import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ClientError } from '../client-error.ts'
import { readContexts } from '../contexts.ts'

/** Where the daemon of this machine lives. */
export interface Place {
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly gatewayHost: string
  readonly gatewayPort: number
}

export interface PlaceOptions {
  readonly dataDir?: string
  readonly port?: string
  readonly gatewayPort?: string
}

type Env = Readonly<Record<string, string | undefined>>

/** The context that the client keeps for it. */
export const localContext = 'local'

export function logPath(dataDir: string): string {
  return join(dataDir, 'daemon.log')
}

/** By the options, else the daemon's own settings, else what it takes without any. Throws ClientError. */
export function choosePlace(options: PlaceOptions, env: Env = process.env): Place {
  const api = addressOf('SERVICE_ADDR', env.SERVICE_ADDR || '127.0.0.1:9000')
  const gateway = addressOf('SERVICE_GATEWAY_ADDR', env.SERVICE_GATEWAY_ADDR || '127.0.0.1:9080')
  return {
    dataDir: chooseDataDir(options, env),
    host: api.host,
    port: options.port === undefined ? api.port : parsePort('--port', options.port),
    gatewayHost: gateway.host,
    gatewayPort:
      options.gatewayPort === undefined
        ? gateway.port
        : parsePort('--gateway-port', options.gatewayPort),
  }
}

export function chooseDataDir({ dataDir }: PlaceOptions, env: Env = process.env): string {
  const state = env.XDG_STATE_HOME || join(homedir(), '.local/state')
  return resolve(dataDir ?? (env.SERVICE_DATA_DIR || join(state, 'strata')))
}

/** The folder of the daemon that was started last, unless another is named. */
export function chooseRunningDataDir(options: PlaceOptions, env: Env = process.env): string {
  if (options.dataDir === undefined && !env.SERVICE_DATA_DIR) {
    const kept = readContexts().contexts[localContext]?.data_dir
    if (kept !== undefined) return kept
  }
  return chooseDataDir(options, env)
}

/** The address that a client uses for one the daemon listens on: `0.0.0.0` is none to connect to. */
export function urlOf(host: string, port: number): string {
  const any = host === '' || host === '0.0.0.0' || host === '::'
  const name = any ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function addressOf(setting: string, text: string): { host: string; port: number } {
  const parts = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text)
  if (parts) return { host: parts[1] ?? parts[2] ?? '', port: parsePort(setting, parts[3] ?? '') }
  throw new ClientError(`${setting} must be host:port, as 127.0.0.1:9000`)
}

function parsePort(what: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new ClientError(`${what} must be a port from 1 to 65535, not ${text}`)
}
