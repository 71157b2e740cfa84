import { join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { Logger } from '../ports.ts'
import { connectLink, type Link } from './link.ts'
import { startProcess } from './start-process.ts'

export interface FindOrStartDeps {
  readonly argv: readonly string[]
  /** The required settings as JSON. A gateway with other settings is replaced. */
  readonly settings: string
  readonly folder: string
  readonly socketPath: string
  readonly log: Pick<Logger, 'info' | 'warn'>
}

const startTimeoutMs = 15_000
const helloTimeoutMs = 2_000

/**
 * Returns a link to a gateway with the required settings, and starts one if necessary. Passes a running gateway with
 * other settings to `onOutdated`; the new gateway retires it. Throws `unavailable` if the new gateway does not respond.
 */
export async function findOrStart(
  { argv, settings, folder, socketPath, log }: FindOrStartDeps,
  onOutdated: (link: Link) => void,
): Promise<Link> {
  const found = await connectLink(socketPath, helloTimeoutMs)
  if (found?.settings === settings) return found
  if (found) {
    log.info({ pid: found.pid }, 'replacing a gateway of another version or with other settings')
    onOutdated(found)
  }
  const logPath = join(folder, 'gateway.log')
  await startProcess({ argv, settings, folder, logPath, timeoutMs: startTimeoutMs })
  const started = await connectLink(socketPath, helloTimeoutMs)
  if (started?.settings === settings) return started
  started?.close()
  throw new DaemonError('unavailable', `the gateway does not answer: see ${logPath}`)
}
