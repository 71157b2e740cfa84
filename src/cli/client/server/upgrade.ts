import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { runningPackage } from './install.ts'
import { programStep } from './install-steps.ts'
import { layout, packageInVersion } from './layout.ts'
import { withServerLock } from './locked.ts'
import { labelOf, versionIn } from './package-files.ts'
import { requireRoot, usableNode } from './preconditions.ts'
import { writeRecord } from './record.ts'
import { runProgram } from './service.ts'
import { runSteps } from './step.ts'
import { goBack, switchVersion } from './switch-version.ts'
import { renderUnit } from './unit-file.ts'

export interface UpgradeOptions extends CommonOptions {
  readonly timeout: string
}

/** npm may download packages. */
const npmTimeoutMs = 600_000

/**
 * `strata server upgrade`: starts the version of this program, of a package file, or of an installed version. The new
 * version runs the switch itself, because it knows its own unit.
 */
export function upgradeServer(source: string | undefined, options: UpgradeOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    requireRoot('strata server upgrade')
    const timeoutMs = parseTimeout(options.timeout)
    const own = labelOf(runningPackage)
    const label = source === undefined ? own : await installedLabel(source, invocation)
    if (label !== own) return runNewProgram(label, options)
    await upgradeToOwn(own, timeoutMs, invocation)
  })
}

function upgradeToOwn(label: string, timeoutMs: number, invocation: Invocation): Promise<void> {
  const { output } = invocation
  return withServerLock(async (found) => {
    let record = found
    if (record.pending) {
      output.note('an earlier upgrade has not ended: undoing it first …')
      await goBack(record.pending, invocation)
      record = { ...record, pending: null }
      writeRecord(record)
    }
    const from = record.current
    if (from === label) {
      output.result({ label, from, changed: false }, () => [`strata ${label} runs already`])
      return
    }
    await runSteps([programStep(layout.versions, label, runningPackage)], false)
    const unit = renderUnit({ nodePath: usableNode() })
    await switchVersion(record, { label, unit, timeoutMs }, invocation)
    output.result({ label, from, changed: true }, () => [
      `strata ${label} runs; before it was ${from}`,
      '  strata server rollback   goes back',
    ])
  })
}

/** Returns the label of the version that `source` names, after installing a package file. Throws ClientError. */
async function installedLabel(source: string, { output }: Invocation): Promise<string> {
  if (/\.(tgz|tar\.gz)$/.test(source)) {
    if (!existsSync(source)) throw new ClientError(`${source} does not exist`)
    output.note(`installing ${source} with npm …`)
    return installArchive(resolve(source))
  }
  const labels = existsSync(layout.versions) ? readdirSync(layout.versions) : []
  const matching = labels.filter((label) => label === source || versionIn(label) === source)
  const [label] = matching
  if (label !== undefined && matching.length === 1) return label
  const known = labels.filter((each) => !each.startsWith('.'))
  throw new ClientError(
    matching.length > 1
      ? `several builds of ${source} are installed: ${matching.join(', ')}`
      : `${source} is neither a package file (.tgz) nor an installed version: installed are ${known.join(', ')}`,
    { next: ['strata server upgrade ./stratad-<version>.tgz'] },
  )
}

/** Installs a package file and its packages with npm, without their scripts. */
async function installArchive(archive: string): Promise<string> {
  const part = mkdtempSync(join(layout.versions, '.part-'))
  try {
    const args = [
      'install',
      '--prefix',
      part,
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      archive,
    ]
    const result = await runProgram('npm', args, npmTimeoutMs)
    if (result?.code !== 0) {
      const details = (result?.stderr ?? '').trim().split('\n').slice(-10)
      throw new ClientError(`npm can't install ${archive}`, { details })
    }
    const label = labelOf(join(part, packageInVersion))
    const target = join(layout.versions, label)
    if (!existsSync(target)) renameSync(part, target)
    return label
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

async function runNewProgram(label: string, options: UpgradeOptions): Promise<void> {
  const program = join(layout.versions, label, packageInVersion, 'bin/strata.js')
  const args = [
    'server',
    'upgrade',
    '--timeout',
    options.timeout,
    ...(options.json ? ['--json'] : []),
  ]
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = typeof code === 'number' ? code : 1
}

function parseTimeout(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= 1) return seconds * 1000
  throw new ClientError(`invalid --timeout ${JSON.stringify(text)}: expected seconds, such as 60`)
}
