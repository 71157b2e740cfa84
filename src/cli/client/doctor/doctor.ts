import { readContexts } from '../connection/contexts.ts'
import { type CommonOptions, chooseContext } from '../connection/session.ts'
import { findDaemon, runningState, tokenOf } from '../daemon/find-daemon.ts'
import {
  chooseLocalSettings,
  chooseRunningDataDir,
  type LocalSettings,
  localUrl,
} from '../daemon/local-settings.ts'
import { ClientError } from '../errors/client-error.ts'
import { runClient } from '../run/run-command.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { styleOf } from '../terminal/style.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkDaemon } from './daemon.ts'
import { checkContextsFile, checkDisk, checkNode, checkPort, checkProgram } from './machine.ts'

declare const STRATA_VERSION: string

/** `strata doctor`: exits with 1 if a check fails. */
export function doctor(options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const dataDir = chooseRunningDataDir({})
    const checks = [
      checkNode(process.versions.node),
      ...(await Promise.all([checkProgram('git', [2, 30]), checkProgram('npm', [9, 0])])),
      await checkDisk(dataDir),
      checkContextsFile(),
      ...(await checkPorts(chooseLocalSettings({ dataDir }))),
      ...(await checkSelectedDaemon(options)),
    ]
    output.result(checks, () => checkLines(checks, output))
    if (checks.some(({ level }) => level === 'fail')) process.exitCode = 1
  })
}

function checkLines(checks: readonly Check[], { paint }: Pick<Output, 'paint'>): string[] {
  return checks.flatMap(({ name, level, detail, next }) => [
    `${paint(styleOf(level), level.padEnd(4))}  ${name.padEnd(16)} ${printable(detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(23)}${paint('cyan', 'try:')} ${next}`]),
  ])
}

/** Checks that the ports are free, unless the local daemon already uses them. */
async function checkPorts(settings: LocalSettings): Promise<Check[]> {
  const state = runningState(settings.dataDir)
  const url = state?.url ?? localUrl(settings.host, settings.port)
  if ((await findDaemon(url, tokenOf(settings.dataDir))).kind === 'ours') {
    return [ok('ports', `the local daemon listens on ${new URL(url).port}`)]
  }
  const gateway = { host: settings.gatewayHost, port: settings.gatewayPort }
  return Promise.all([
    checkPort('API port', settings, '--port'),
    checkPort('gateway port', gateway, '--gateway-port'),
  ])
}

async function checkSelectedDaemon(options: CommonOptions): Promise<Check[]> {
  try {
    const { name, context } = chooseContext(options)
    return await checkDaemon(name, context, STRATA_VERSION)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    const [next = 'strata daemon start'] = error.next
    // A machine for the generator alone needs no daemon. A named context that is unknown is a fault.
    const isNamed = options.context !== undefined || namesContext(process.env)
    return [isNamed ? fail('daemon', error.message, next) : warn('daemon', error.message, next)]
  }
}

function namesContext({ STRATA_HOST, STRATA_CONTEXT }: NodeJS.ProcessEnv): boolean {
  try {
    return Boolean(STRATA_HOST || STRATA_CONTEXT || readContexts().current)
  } catch {
    // An unreadable file of contexts has a check of its own.
    return true
  }
}
