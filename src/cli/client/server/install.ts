import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { keepGeneratedSecrets } from '../../../../daemon/client/generated-secrets.ts'
import type { SettingValues } from '../../../../daemon/client/settings.ts'
import { readContexts, withContext, writeContexts } from '../connection/contexts.ts'
import type { CommonOptions } from '../connection/session.ts'
import { checkSettings } from '../daemon/kept-settings.ts'
import { localContext } from '../daemon/local-settings.ts'
import { ClientError } from '../errors/client-error.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { firewallAdvice } from './firewall.ts'
import { type Installation, installSteps, occupiedCommands } from './install-steps.ts'
import { layout, placeIn, unitName } from './layout.ts'
import { labelOf, versionIn } from './package-files.ts'
import { requireFreePorts, requirePrograms, requireRoot, usableNode } from './preconditions.ts'
import { becomesReady } from './readiness.ts'
import { findRecord } from './record.ts'
import {
  completedSettings,
  dataDirBelow,
  localApi,
  type SettingOptions,
  settingsOf,
  settingsPath,
} from './server-settings.ts'
import {
  isSystemdRunning,
  lastJournalLines,
  readUnitState,
  systemctl,
  verifyUnit,
} from './service.ts'
import { runSteps } from './step.ts'
import { renderUnit } from './unit-file.ts'

export interface InstallOptions extends CommonOptions, SettingOptions {
  readonly root?: string
  readonly dryRun?: boolean
}

/** Folder of the package that runs: the bundle is in its folder `dist`. */
export const runningPackage = join(import.meta.dirname, '..')

const startTimeoutMs = 60_000

/** `strata server install`: puts program, settings and unit in place, and starts the daemon. Idempotent. */
export function installServer(options: InstallOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    const { output } = invocation
    requireRoot('strata server install')
    const installation = planInstallation(options)
    const isImage = installation.root !== '/'
    await requirePrograms()
    const isStarting = !isImage && isSystemdRunning()
    if (isStarting && (await readUnitState()).active !== 'active') {
      await requireFreePorts(installation.settings)
    }
    const changed = await runSteps(installSteps(installation), options.dryRun === true)
    if (options.dryRun) {
      const planned = isStarting ? [...changed, `enable and start ${unitName}`] : changed
      output.result({ dry_run: true, steps: planned, unit: installation.unit }, () => [
        ...planned.map((text) => `would ${text}`),
        '',
        installation.unit,
      ])
      return
    }
    const unit = placeIn(installation.root, layout.unit)
    const checked = await verifyUnit(unit)
    const token = isImage ? undefined : await newToken(installation)
    const service = isStarting
      ? await startService(installation, changed.length > 0, invocation)
      : { state: 'not started', reason: notStarted(isImage) }
    report(invocation, { installation, changed, token, service, checked })
  })
}

function planInstallation(options: InstallOptions): Installation {
  const root = resolve(options.root ?? '/')
  if (!existsSync(root)) throw new ClientError(`the root folder ${root} does not exist`)
  const label = labelOf(runningPackage)
  const installed = findRecord(root)
  if (installed && installed.current !== label) {
    throw new ClientError(`strata ${installed.current} is installed, and this is ${label}`, {
      next: ['strata server upgrade'],
    })
  }
  if (installed?.pending) {
    throw new ClientError('an upgrade of this server has not ended', {
      next: ['strata server rollback'],
    })
  }
  const settings = completedSettings(root, settingsOf(options))
  checkSettings(dataDirBelow(root), settings)
  const unit = renderUnit({ nodePath: usableNode() })
  return { root, packageDir: runningPackage, label, settings, unit }
}

/**
 * Generates the API token before the first start: the daemon would print it to the journal. Returns the token if it is
 * new, and undefined if the settings name one or it exists already.
 */
async function newToken({ settings }: Installation): Promise<string | undefined> {
  if (settings.SERVICE_API_TOKEN !== undefined || settings.SERVICE_AUTO_TOKEN !== '1')
    return undefined
  const { apiToken, isNew } = await keepGeneratedSecrets(layout.dataDir)
  const token = apiToken.reveal()
  const context = { url: localApi(settings), token, data_dir: layout.dataDir }
  writeContexts(withContext(readContexts(), localContext, context))
  return isNew ? token : undefined
}

interface Service {
  readonly state: string
  readonly reason?: string
}

async function startService(
  { label }: Installation,
  hasChanged: boolean,
  { output, signal }: Invocation,
): Promise<Service> {
  await systemctl('daemon-reload')
  await systemctl('enable', '--quiet', unitName)
  const { active } = await readUnitState()
  if (active !== 'active') await systemctl('start', unitName)
  else if (hasChanged) await systemctl('restart', unitName)
  output.note('waiting for the daemon …')
  if (await becomesReady(versionIn(label), startTimeoutMs, signal)) return { state: 'running' }
  throw new ClientError(`the daemon does not answer after ${startTimeoutMs / 1000} s`, {
    details: await lastJournalLines(),
    next: [
      'journalctl --unit stratad   shows the reason',
      'strata server install   is safe to run again',
    ],
  })
}

function notStarted(isImage: boolean): string {
  return isImage
    ? 'the files are in an image: run strata server install again on the booted machine, which makes the token'
    : 'systemd does not run here: start the command of ExecStart in the unit yourself'
}

function report(
  { output }: Invocation,
  result: {
    readonly installation: Installation
    readonly changed: readonly string[]
    readonly token: string | undefined
    readonly service: Service
    readonly checked: Awaited<ReturnType<typeof verifyUnit>>
  },
): void {
  const { installation, changed, token, service, checked } = result
  const { root, label, settings } = installation
  const unit = placeIn(root, layout.unit)
  const firewall = firewallAdvice(settings)
  const value = {
    label,
    changed,
    unit,
    unit_faults: checked.faults,
    service,
    settings: settingsPath(root),
    api: localApi(settings),
    ...(token !== undefined && { token }),
    firewall,
  }
  output.result(value, () => [
    changed.length === 0
      ? `strata ${label} is installed: nothing to change`
      : `installed strata ${label}`,
    ...changed.map((text) => `  ${text}`),
    `  unit       ${unit} (${service.state})`,
    `  settings   ${settingsPath(root)}`,
    `  API        ${localApi(settings)}`,
    `  apps       ${settings.SERVICE_GATEWAY_ADDR}, at *.${settings.SERVICE_BASE_DOMAIN ?? 'localhost'}`,
    ...(token === undefined ? [] : ['', `API token, shown once: ${token}`]),
    ...(firewall.length === 0 ? [] : ['', ...firewall]),
  ])
  noteOpenPoints(output.note, result)
}

function noteOpenPoints(
  note: (...lines: readonly string[]) => void,
  {
    installation: { root, settings },
    service,
    checked,
  }: {
    installation: Installation
    service: Service
    checked: Awaited<ReturnType<typeof verifyUnit>>
  },
): void {
  if (service.reason !== undefined) note(service.reason)
  if (checked.skipped !== undefined) note(`the unit is not verified: ${checked.skipped}`)
  for (const fault of checked.faults) note(`systemd-analyze: ${fault}`)
  for (const path of occupiedCommands(root)) {
    note(`${path} belongs to another installation and stays as it is`)
  }
  if (isLocalDomain(settings)) {
    note(
      'other machines reach no app yet: point *.apps.example.com to this machine, then run',
      '  strata server install --base-domain apps.example.com',
    )
  }
}

function isLocalDomain(settings: SettingValues): boolean {
  return (settings.SERVICE_BASE_DOMAIN ?? 'localhost') === 'localhost'
}
