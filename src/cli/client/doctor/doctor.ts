import { ClientError } from '../client-error.ts'
import { findDaemon, runningState, tokenOf } from '../daemon/find-daemon.ts'
import { choosePlace, chooseRunningDataDir, type Place, urlOf } from '../daemon/place.ts'
import { runClient } from '../run.ts'
import { type CommonOptions, chooseContext } from '../session.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { styleOf } from '../terminal/style.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkDaemon } from './daemon.ts'
import { checkContextsFile, checkDisk, checkNode, checkPort, checkProgram } from './machine.ts'

declare const STRATA_VERSION: string

/** `strata doctor`: 1 where something keeps strata from working. */
export function doctor(options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const dataDir = chooseRunningDataDir({})
    const checks = [
      checkNode(process.versions.node),
      ...(await Promise.all([checkProgram('git', [2, 30]), checkProgram('npm', [9, 0])])),
      await checkDisk(dataDir),
      checkContextsFile(),
      ...(await ports({ ...choosePlace({}), dataDir })),
      ...(await daemon(options)),
    ]
    output.result(checks, () => checkLines(checks, output))
    if (checks.some(({ level }) => level === 'fail')) process.exitCode = 1
  })
}

export function checkLines(checks: readonly Check[], { paint }: Pick<Output, 'paint'>): string[] {
  return checks.flatMap(({ name, level, detail, next }) => [
    `${paint(styleOf(level), level.padEnd(4))}  ${name.padEnd(16)} ${printable(detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(23)}${paint('cyan', 'try:')} ${next}`]),
  ])
}

/** Free, or held by the daemon itself. */
async function ports(place: Place): Promise<Check[]> {
  const state = runningState(place.dataDir)
  const url = state?.url ?? urlOf(place.host, place.port)
  if ((await findDaemon(url, tokenOf(place.dataDir))).kind === 'ours') {
    return [ok('ports', `the daemon of this machine has ${new URL(url).port}`)]
  }
  const gateway = { host: place.gatewayHost, port: place.gatewayPort }
  return Promise.all([
    checkPort('port of the API', place, '--port'),
    checkPort('port of apps', gateway, '--gateway-port'),
  ])
}

async function daemon(options: CommonOptions): Promise<Check[]> {
  try {
    const { name, context } = chooseContext(options)
    return await checkDaemon(name, context, STRATA_VERSION)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    const [next = 'strata daemon start'] = error.next
    const isMissing = options.context !== undefined
    return [isMissing ? fail('daemon', error.message, next) : warn('daemon', error.message, next)]
  }
}
