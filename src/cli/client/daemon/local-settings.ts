import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { readContexts } from '../connection/contexts.ts'
import { ClientError } from '../errors/client-error.ts'
import { completeSettings } from './kept-settings.ts'

/** Data folder and listening addresses of the daemon on this machine. */
export interface LocalSettings {
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly gatewayHost: string
  readonly gatewayPort: number
}

export interface LocalDaemonOptions {
  readonly dataDir?: string
  readonly port?: string
  readonly gatewayPort?: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Name of the context that `strata daemon start` writes. */
export const localContext = 'local'

export function logPath(dataDir: string): string {
  return join(dataDir, 'daemon.log')
}

/**
 * Takes each setting from the options, then from SERVICE_ variables, then from the settings file, then its default.
 * Throws ClientError.
 */
export function chooseLocalSettings(
  options: LocalDaemonOptions,
  own: Env = process.env,
): LocalSettings {
  const dataDir = chooseDataDir(options, own)
  const env = completeSettings(dataDir, own)
  const api = addressOf('SERVICE_ADDR', env.SERVICE_ADDR || '127.0.0.1:9000')
  const gateway = addressOf('SERVICE_GATEWAY_ADDR', env.SERVICE_GATEWAY_ADDR || '127.0.0.1:9080')
  return {
    dataDir,
    host: api.host,
    port: options.port === undefined ? api.port : parsePort('--port', options.port),
    gatewayHost: gateway.host,
    gatewayPort:
      options.gatewayPort === undefined
        ? gateway.port
        : parsePort('--gateway-port', options.gatewayPort),
  }
}

function chooseDataDir({ dataDir }: LocalDaemonOptions, env: Env = process.env): string {
  const state = env.XDG_STATE_HOME || join(homedir(), '.local/state')
  return resolve(dataDir ?? (env.SERVICE_DATA_DIR || join(state, 'strata')))
}

/** Returns the data folder of the daemon that was started last, unless the options or SERVICE_DATA_DIR name another. */
export function chooseRunningDataDir(options: LocalDaemonOptions, env: Env = process.env): string {
  if (options.dataDir === undefined && !env.SERVICE_DATA_DIR) {
    const stored = readContexts().contexts[localContext]?.data_dir
    if (stored !== undefined && existsSync(stored)) return stored
  }
  return chooseDataDir(options, env)
}

/** Returns the URL of a listening address; a wildcard such as `0.0.0.0` becomes 127.0.0.1. */
export function localUrl(host: string, port: number): string {
  const isWildcard = host === '' || host === '0.0.0.0' || host === '::'
  const name = isWildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function addressOf(setting: string, text: string): { host: string; port: number } {
  const parts = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text)
  if (parts) return { host: parts[1] ?? parts[2] ?? '', port: parsePort(setting, parts[3] ?? '') }
  throw new ClientError(
    `invalid ${setting} ${JSON.stringify(text)}: expected host:port, for example 127.0.0.1:9000`,
  )
}

function parsePort(setting: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new ClientError(
    `invalid ${setting} ${JSON.stringify(text)}: expected a port from 1 to 65535`,
  )
}
