import { setTimeout as sleep } from 'node:timers/promises'
import { stopLocalGateway } from '../../../../daemon/client/local-gateway.ts'
import { readContexts } from '../connection/contexts.ts'
import { type CommonOptions, connect } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { messageOf } from '../errors/error-text.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { findDaemon, runningState, tokenOf } from './find-daemon.ts'
import { chooseRunningDataDir, type LocalDaemonOptions, localContext } from './local-settings.ts'
import { type DaemonState, isDaemonProcess, removeState } from './state-file.ts'

export interface StopOptions extends CommonOptions, LocalDaemonOptions {
  readonly apps?: boolean
}

/** `strata daemon stop`: waits until the daemon has exited. Apps and gateway keep running, unless `--apps` stops them. */
export function stopDaemon(options: StopOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    const { output } = invocation
    const dataDir = chooseRunningDataDir(options)
    const state = runningState(dataDir)
    if (!state) await refuseForeignDaemon(dataDir)
    const pausedCount = state && options.apps ? await pauseApps(state.url, dataDir, invocation) : 0
    if (state) await stopProcess(state, invocation)
    removeState(dataDir)
    const hadGateway = options.apps ? await stopLocalGateway(dataDir) : false
    const value = { status: state ? 'stopped' : 'not running', paused: pausedCount }
    output.result(value, () => [
      state ? 'the daemon has stopped' : 'no daemon is running',
      ...(options.apps && (pausedCount > 0 || hadGateway)
        ? ['the apps are paused and the gateway has stopped: the next daemon wakes apps on request']
        : []),
    ])
    if (state && !options.apps) {
      output.note('running apps keep answering; strata daemon stop --apps stops them too')
    }
  })
}

/** Throws ClientError if a daemon answers that `strata daemon start` did not start: its process is unknown. */
async function refuseForeignDaemon(dataDir: string): Promise<void> {
  const context = readContexts().contexts[localContext]
  if (!context || context.data_dir !== dataDir) return
  if ((await findDaemon(context.url, tokenOf(dataDir))).kind !== 'ours') return
  throw new ClientError(`strata daemon start did not start the daemon at ${context.url}`, {
    next: ['stop it with the tool that started it, for example systemctl stop stratad'],
  })
}

/** Pauses all running environments of the daemon at a URL. Returns their number. */
export async function pauseApps(
  url: string,
  dataDir: string,
  { signal, output }: Invocation,
): Promise<number> {
  const token = tokenOf(dataDir)
  const { client } = connect({ url, ...(token !== undefined && { token }) })
  const { body } = await client.call('listLiveEnvironments', {}, { signal })
  const running = body.filter(({ state }) => state === 'running')
  for (const { id } of running) {
    const options = { signal, timeoutMs: 60_000 }
    await client.call('pauseEnvironment', { params: { id } }, options).catch((error: unknown) => {
      output.note(`environment ${id} was not paused: ${messageOf(error)}`)
    })
  }
  return running.length
}

const stopTimeoutMs = 20_000

async function stopProcess({ pid }: DaemonState, { signal }: Invocation): Promise<void> {
  process.kill(pid, 'SIGTERM')
  const deadline = Date.now() + stopTimeoutMs
  while (isDaemonProcess(pid)) {
    if (Date.now() > deadline) {
      throw new ClientError(
        `the daemon (process ${pid}) has not exited after ${stopTimeoutMs / 1000} s`,
        { next: [`kill -9 ${pid}   is safe: accepted requests are stored durably`] },
      )
    }
    await sleep(50, undefined, { signal })
  }
}
