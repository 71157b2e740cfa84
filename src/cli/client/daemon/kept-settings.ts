import {
  ConfigError,
  changeConfigFile,
  configPath,
  loadConfig,
  readConfigFile,
  type SettingValues,
  settingNames,
} from '../../../../daemon/client/settings.ts'
import { ClientError } from '../errors/client-error.ts'
import { messageOf } from '../errors/error-text.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Settings of the environment that the file does not take: the folder of the file, a key that an operator keeps away
 * from the data, and a permission for one restore.
 */
const notKept = ['SERVICE_DATA_DIR', 'SERVICE_MASTER_KEY', 'SERVICE_ALLOW_RESTORE']

/** Returns the settings that the file of a data folder keeps. Throws ClientError for a file that can't be used. */
export function keptSettings(dataDir: string, warn?: (message: string) => void): SettingValues {
  try {
    return readConfigFile(dataDir, warn).values
  } catch (cause) {
    throw asClientError(cause, dataDir)
  }
}

/** Returns the variables of `env`, completed by the kept settings. Throws ClientError for a file that can't be used. */
export function completeSettings(dataDir: string, env: Env = process.env): Env {
  return { ...keptSettings(dataDir), ...settingsIn(env) }
}

/** Returns the settings of the environment that a start keeps for later starts. */
export function settingsToKeep(env: Env = process.env): SettingValues {
  const given = Object.entries(settingsIn(env))
  return Object.fromEntries(
    given.filter(([name]) => settingNames.includes(name) && !notKept.includes(name)),
  )
}

/** Throws ClientError with the daemon's own messages if settings are invalid. */
export function checkSettings(dataDir: string, values: Env): void {
  try {
    loadConfig({ ...values, SERVICE_DATA_DIR: dataDir })
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    const [first = '', ...others] = cause.message.split('\n')
    throw new ClientError(first, { details: others, cause })
  }
}

/** Writes changes to the settings file. Returns the names of the settings that changed. Throws ClientError. */
export async function keepSettings(
  dataDir: string,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const kept = keptSettings(dataDir)
  const changed = Object.entries(changes).filter(([name, value]) => kept[name] !== value)
  try {
    if (changed.length > 0) await changeConfigFile(dataDir, Object.fromEntries(changed))
  } catch (cause) {
    throw asClientError(cause, dataDir)
  }
  return changed.map(([name]) => name)
}

function settingsIn(env: Env): SettingValues {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('SERVICE_') && value ? [[name, value]] : [],
    ),
  )
}

function asClientError(cause: unknown, dataDir: string): ClientError {
  const next = [`mend ${configPath(dataDir)}: docs/daemon.md describes its lines`]
  return new ClientError(messageOf(cause), { next, cause })
}
