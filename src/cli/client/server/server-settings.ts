import { networkInterfaces } from 'node:os'
import {
  configPath,
  loadConfig,
  type SettingValues,
  settingNames,
} from '../../../../daemon/client/settings.ts'
import { keptSettings } from '../daemon/kept-settings.ts'
import { localUrl } from '../daemon/local-settings.ts'
import { ClientError } from '../errors/client-error.ts'
import { layout } from './layout.ts'

export interface SettingOptions {
  readonly baseDomain?: string
  readonly acmeEmail?: string
  readonly addr?: string
  readonly gatewayAddr?: string
  readonly set?: readonly string[]
}

/** Returns the settings that the options of `strata server install` name. Throws ClientError for an unknown setting. */
export function settingsOf(options: SettingOptions): SettingValues {
  const named = {
    SERVICE_BASE_DOMAIN: options.baseDomain,
    SERVICE_ADDR: options.addr,
    SERVICE_GATEWAY_ADDR: options.gatewayAddr,
    SERVICE_ACME_EMAIL: options.acmeEmail,
    ...Object.fromEntries((options.set ?? []).map(parseAssignment)),
  }
  const given = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  for (const [name] of given) checkName(name)
  return Object.fromEntries(given)
}

/** Returns the settings of a new server: apps on port 80 of every address, a token, and a daily backup. */
export function defaultSettings(given: SettingValues): SettingValues {
  const host = hasIpv6() ? '[::]' : '0.0.0.0'
  return {
    SERVICE_GATEWAY_ADDR: `${host}:80`,
    SERVICE_AUTO_TOKEN: '1',
    SERVICE_BACKUP_INTERVAL: '24h',
    ...('SERVICE_ACME_EMAIL' in given && { SERVICE_GATEWAY_TLS_ADDR: `${host}:443` }),
  }
}

/** Returns the settings file's own values, with the given ones, and with a default for what neither names. */
export function completedSettings(root: string, given: SettingValues): SettingValues {
  const kept = keptSettings(dataDirBelow(root))
  return { ...defaultSettings(given), ...kept, ...given }
}

/** Returns the configuration of the installed daemon. Throws ClientError for a file that can't be used. */
export function installedConfig(): ReturnType<typeof loadConfig> {
  return loadConfig({ ...keptSettings(layout.dataDir), SERVICE_DATA_DIR: layout.dataDir })
}

export function dataDirBelow(root: string): string {
  return root === '/' ? layout.dataDir : `${root.replace(/\/$/, '')}${layout.dataDir}`
}

export function settingsPath(root: string): string {
  return configPath(dataDirBelow(root))
}

/** Returns the URL at which this machine reaches the API. */
export function localApi(settings: SettingValues): string {
  const [, host = '', port = ''] =
    /^\[?(.*?)\]?:(\d+)$/.exec(settings.SERVICE_ADDR ?? '127.0.0.1:9000') ?? []
  const url = localUrl(host, Number(port))
  return settings.SERVICE_TLS_CERT === undefined ? url : url.replace('http:', 'https:')
}

function parseAssignment(text: string): [string, string] {
  const [, name = '', value = ''] = /^([A-Z0-9_]+)=(.+)$/s.exec(text) ?? []
  if (name !== '') return [name, value]
  throw new ClientError(`invalid --set ${JSON.stringify(text)}: expected NAME=value`)
}

function checkName(name: string): void {
  if (settingNames.includes(name) && name !== 'SERVICE_DATA_DIR') return
  throw new ClientError(`the setting ${name} can't be set by this version of strata`, {
    next: ['docs/daemon.md lists the settings'],
  })
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ family }) => family === 'IPv6'),
  )
}
