import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AnswerError } from '../../../../daemon/client/errors.ts'
import { connect } from '../session.ts'
import { type DaemonState, isDaemonProcess, readState } from './state-file.ts'

/** What answers at an address. */
export type Found =
  | { readonly kind: 'ours'; readonly version: string }
  /** A stratad that does not know our token. */
  | { readonly kind: 'other-daemon'; readonly version: string }
  | { readonly kind: 'none' }

/** Asks whether a daemon is there, and whether it is the one that a token belongs to. */
export async function findDaemon(url: string, token: string | undefined): Promise<Found> {
  const { client } = connect({ url, ...(token !== undefined && { token }) })
  const options = { timeoutMs: 3_000 }
  const version = await client.call('readSetupStatus', {}, options).then(
    ({ body }) => (typeof body?.version === 'string' ? body.version : undefined),
    () => undefined,
  )
  if (version === undefined) return { kind: 'none' }
  return client.call('listProjects', {}, options).then(
    () => ({ kind: 'ours', version }),
    (error: unknown) =>
      error instanceof AnswerError && error.status === 401
        ? { kind: 'other-daemon', version }
        : { kind: 'none' },
  )
}

/** The daemon that `strata daemon start` started on a data folder, while its process lives. */
export function runningState(dataDir: string): DaemonState | undefined {
  const state = readState(dataDir)
  return state && isDaemonProcess(state.pid) ? state : undefined
}

/** The token of a data folder: the one that is set, else the one that was made. */
export function tokenOf(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (env.SERVICE_API_TOKEN) return env.SERVICE_API_TOKEN
  try {
    return readFileSync(join(dataDir, 'api-token'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
