import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ResponseError } from '../../../../daemon/client/errors.ts'
import { connect } from '../connection/session.ts'
import { completeSettings } from './kept-settings.ts'
import { type DaemonState, isDaemonProcess, readState } from './state-file.ts'

/** The result of probing an address. */
export type FoundDaemon =
  | { readonly kind: 'ours'; readonly version: string }
  /** A stratad that rejects the token. */
  | { readonly kind: 'other-daemon'; readonly version: string }
  | { readonly kind: 'none' }

/** Probes an address for a daemon, and tests whether that daemon accepts a token. */
export async function findDaemon(url: string, token: string | undefined): Promise<FoundDaemon> {
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
      error instanceof ResponseError && error.status === 401
        ? { kind: 'other-daemon', version }
        : { kind: 'none' },
  )
}

/** Returns the state of the daemon that `strata daemon start` started on a data folder, if its process still runs. */
export function runningState(dataDir: string): DaemonState | undefined {
  const state = readState(dataDir)
  return state && isDaemonProcess(state.pid) ? state : undefined
}

/** Returns the token of a local daemon: SERVICE_API_TOKEN, otherwise the generated token in its data folder. */
export function tokenOf(dataDir: string): string | undefined {
  const configured = configuredToken(dataDir)
  if (configured) return configured
  try {
    return readFileSync(join(dataDir, 'api-token'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** A settings file that can't be used does not keep a command from stopping the daemon. */
function configuredToken(dataDir: string): string | undefined {
  try {
    return completeSettings(dataDir).SERVICE_API_TOKEN
  } catch {
    return process.env.SERVICE_API_TOKEN
  }
}
