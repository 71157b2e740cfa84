import { existsSync } from 'node:fs'
import {
  configPath,
  type SettingValues,
  secretSettingNames,
  settingNames,
} from '../../../../daemon/client/settings.ts'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { layout, unitName } from '../server/layout.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { readStdin } from '../terminal/read-stdin.ts'
import { runningState } from './find-daemon.ts'
import { checkSettings, keepSettings, keptSettings } from './kept-settings.ts'
import { chooseRunningDataDir, type LocalDaemonOptions } from './local-settings.ts'
import { makeFolder } from './make-folder.ts'

export interface ConfigOptions extends CommonOptions, Pick<LocalDaemonOptions, 'dataDir'> {}

/** `strata daemon config get`: prints all kept settings, or the value of one. Secret values are masked. */
export function getSettings(name: string | undefined, options: ConfigOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const dataDir = chooseRunningDataDir(options)
    if (name !== undefined) checkName(name)
    const kept = shown(keptSettings(dataDir, output.note))
    const path = configPath(dataDir)
    if (name === undefined) {
      output.result({ file: path, settings: kept }, () =>
        Object.entries(kept).map(([each, value]) => `${each}=${printable(value)}`),
      )
      if (Object.keys(kept).length === 0) output.note(`${path} keeps no settings`)
      return
    }
    const value = kept[name]
    if (value === undefined) throw new ClientError(`${path} does not set ${name}`)
    output.result({ file: path, settings: { [name]: value } }, () => [printable(value)])
  })
}

/** `strata daemon config set`: checks the settings as the daemon does, then keeps all of them or none. */
export function setSettings(assignments: readonly string[], options: ConfigOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    const dataDir = chooseRunningDataDir(options)
    const changes = await readChanges(assignments, invocation)
    checkSettings(dataDir, { ...keptSettings(dataDir), ...changes })
    makeFolder(dataDir)
    await keepSettings(dataDir, changes)
    const names = Object.keys(changes)
    invocation.output.result({ file: configPath(dataDir), set: names }, () => [
      `set ${names.join(', ')} in ${configPath(dataDir)}`,
    ])
    noteEffect(dataDir, names, invocation.output)
  })
}

/** `strata daemon config unset`: the settings have their defaults from the next start on. */
export function unsetSettings(names: readonly string[], options: ConfigOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const dataDir = chooseRunningDataDir(options)
    for (const name of names) checkName(name)
    const kept = keptSettings(dataDir)
    const changes = Object.fromEntries(names.map((name) => [name, undefined]))
    checkSettings(dataDir, { ...kept, ...changes })
    const removed = existsSync(dataDir) ? await keepSettings(dataDir, changes) : []
    output.result({ file: configPath(dataDir), unset: removed }, () => [
      removed.length === 0
        ? `${configPath(dataDir)} does not set ${names.join(', ')}`
        : `unset ${removed.join(', ')} in ${configPath(dataDir)}`,
    ])
    if (removed.length > 0) noteEffect(dataDir, removed, output)
  })
}

/** Parses `NAME=value` arguments, and reads the value of a single bare `NAME` from standard input. Throws ClientError. */
async function readChanges(
  assignments: readonly string[],
  { signal }: Invocation,
): Promise<SettingValues> {
  const bare = assignments.filter((text) => !text.includes('='))
  if (bare.length > 1) {
    throw new ClientError(`standard input can provide one value, not ${bare.length}`)
  }
  const changes: Record<string, string> = {}
  for (const text of assignments) {
    const [name = ''] = text.split('=', 1)
    checkName(name)
    const value = text.includes('=')
      ? text.slice(name.length + 1)
      : (await readStdin(`value of ${name} (hidden): `, signal)).replace(/\r?\n$/, '')
    if (value === '') {
      throw new ClientError(`${name} has no value: nothing was set`, {
        next: [`strata daemon config unset ${name}`],
      })
    }
    changes[name] = value
  }
  return changes
}

function checkName(name: string): void {
  if (name === 'SERVICE_DATA_DIR') {
    throw new ClientError('SERVICE_DATA_DIR can not be kept in the data folder that it names', {
      next: ['strata daemon start --data-dir <folder>'],
    })
  }
  if (settingNames.includes(name)) return
  const full = `SERVICE_${name.toUpperCase()}`
  throw new ClientError(`unknown setting ${JSON.stringify(name)}`, {
    next: [settingNames.includes(full) ? full : 'docs/daemon.md lists the settings'],
  })
}

function shown(kept: SettingValues): SettingValues {
  return Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [
      name,
      secretSettingNames.includes(name) ? '[redacted]' : value,
    ]),
  )
}

function noteEffect(dataDir: string, names: readonly string[], { note }: Output): void {
  note(effectOf(dataDir, { isRunning: runningState(dataDir) !== undefined, hasUnit }))
  const overridden = names.filter((name) => process.env[name])
  if (overridden.length > 0) {
    note(`  the environment sets ${overridden.join(', ')} too: it wins over the file`)
  }
}

/** Says when a changed setting takes effect. systemd runs the daemon of an installed server. */
export function effectOf(
  dataDir: string,
  { isRunning, hasUnit }: { isRunning: boolean; hasUnit: () => boolean },
): string {
  if (dataDir === layout.dataDir && hasUnit()) {
    return `  takes effect after a restart: systemctl restart ${unitName}`
  }
  return isRunning
    ? '  takes effect after a restart: strata daemon stop && strata daemon start'
    : '  takes effect at the next start of the daemon'
}

function hasUnit(): boolean {
  return existsSync(layout.unit)
}
