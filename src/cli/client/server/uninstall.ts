import { existsSync, rmSync } from 'node:fs'
import { stopLocalGateway } from '../../../../daemon/client/local-gateway.ts'
import { readContexts, writeContexts } from '../connection/contexts.ts'
import type { CommonOptions } from '../connection/session.ts'
import { keptSettings } from '../daemon/kept-settings.ts'
import { localContext } from '../daemon/local-settings.ts'
import { pauseApps } from '../daemon/stop.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { confirm } from '../terminal/confirm.ts'
import { commandPaths } from './install-steps.ts'
import { layout, unitName } from './layout.ts'
import { requireRoot } from './preconditions.ts'
import { readVersion } from './readiness.ts'
import { localApi } from './server-settings.ts'
import { isSystemdRunning, systemctl } from './service.ts'
import { linkTarget } from './step.ts'

export interface UninstallOptions extends CommonOptions {
  readonly purge?: boolean
  readonly yes?: boolean
}

/** `strata server uninstall`: stops everything and removes the program. Keeps the data, unless `--purge` is given. */
export function uninstallServer(options: UninstallOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    const { output, signal } = invocation
    requireRoot('strata server uninstall')
    const purge = options.purge ?? false
    await confirm(
      {
        consequences: consequencesOf(purge),
        question: purge ? 'Remove the server and all of its data?' : 'Remove the server?',
        unattended: `strata server uninstall ${purge ? '--purge ' : ''}--yes`,
        isGiven: options.yes ?? false,
      },
      output,
      signal,
    )
    const paused = await stopEverything(invocation)
    const removed = removeFiles(purge)
    if (isSystemdRunning()) await systemctl('daemon-reload')
    forgetContext()
    output.result({ removed, paused, kept: purge ? null : layout.dataDir }, () => [
      'the server is removed',
      ...removed.map((path) => `  removed ${path}`),
      ...(purge ? [] : [`  kept ${layout.dataDir}: strata server install uses it again`]),
    ])
  })
}

function consequencesOf(purge: boolean): string[] {
  return [
    'All apps stop and answer no more requests.',
    `The program in ${layout.programs} and the unit ${unitName} are removed.`,
    purge
      ? `${layout.dataDir} is removed: the data of all apps, all secrets, the key and the backups.`
      : `${layout.dataDir} stays, with the data of all apps, all secrets and the backups.`,
  ]
}

/** Pauses the apps, then stops daemon and gateway. Returns the number of paused apps. */
async function stopEverything(invocation: Invocation): Promise<number> {
  const hasData = existsSync(layout.dataDir)
  const url = hasData ? localApi(keptSettings(layout.dataDir)) : undefined
  const isAnswering = url !== undefined && (await readVersion()) !== undefined
  const paused = isAnswering ? await pauseApps(url, layout.dataDir, invocation) : 0
  if (!isAnswering) {
    invocation.output.note('the daemon does not answer: apps that still run end at the next boot')
  }
  if (isSystemdRunning() && existsSync(layout.unit)) {
    await systemctl('disable', '--now', '--quiet', unitName)
  }
  if (hasData) await stopLocalGateway(layout.dataDir)
  return paused
}

function removeFiles(purge: boolean): string[] {
  const commands = commandPaths('/').filter(({ path, target }) => linkTarget(path) === target)
  const paths = [
    layout.unit,
    ...commands.map(({ path }) => path),
    ...(purge ? [layout.dataDir] : []),
    // Last: a killed run leaves the program, which can be run again.
    layout.programs,
  ].filter((path) => linkTarget(path) !== undefined || existsSync(path))
  for (const path of paths) rmSync(path, { recursive: true, force: true })
  return paths
}

function forgetContext(): void {
  const { current, contexts } = readContexts()
  if (contexts[localContext]?.data_dir !== layout.dataDir) return
  const { [localContext]: _, ...others } = contexts
  writeContexts({ current: current === localContext ? undefined : current, contexts: others })
}
