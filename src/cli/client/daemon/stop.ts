import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectLink } from '../../../../daemon/gateway/link.ts'
import { socketPathOf } from '../../../../daemon/gateway/socket-path.ts'
import { ClientError } from '../client-error.ts'
import { readContexts } from '../contexts.ts'
import { runClient, type Surroundings } from '../run.ts'
import { type CommonOptions, connect } from '../session.ts'
import { findDaemon, runningState, tokenOf } from './find-daemon.ts'
import { chooseRunningDataDir, localContext, type PlaceOptions } from './place.ts'
import { type DaemonState, isDaemonProcess, removeState } from './state-file.ts'

export interface StopOptions extends CommonOptions, PlaceOptions {
  readonly apps?: boolean
}

/** `strata daemon stop`: waits until the daemon has ended. Apps and gateway go on, unless `--apps` ends them too. */
export function stopDaemon(options: StopOptions): Promise<void> {
  return runClient(options, async (surroundings) => {
    const { output } = surroundings
    const dataDir = chooseRunningDataDir(options)
    const state = runningState(dataDir)
    if (!state) await refuseUnknown(dataDir)
    const asleep = state && options.apps ? await pauseApps(state, dataDir, surroundings) : 0
    if (state) await end(state, surroundings)
    removeState(dataDir)
    const hasGateway = options.apps ? await endGateway(dataDir) : false
    const value = { status: state ? 'stopped' : 'not running', paused: asleep }
    output.result(value, () => [
      state ? 'the daemon has stopped' : 'no daemon runs',
      ...(options.apps && (asleep > 0 || hasGateway)
        ? ['apps are asleep, and the gateway has ended: the next daemon wakes them on request']
        : []),
    ])
    if (state && !options.apps) {
      output.note('apps that run go on, and answer on: strata daemon stop --apps ends them too')
    }
  })
}

/** One that was not started by `strata daemon start` is stopped where it was started. */
async function refuseUnknown(dataDir: string): Promise<void> {
  const context = readContexts().contexts[localContext]
  if (!context || context.data_dir !== dataDir) return
  if ((await findDaemon(context.url, tokenOf(dataDir))).kind !== 'ours') return
  throw new ClientError(
    `a daemon answers at ${context.url} that strata daemon start did not start`,
    { next: ['stop it where it was started, as with systemctl stop stratad'] },
  )
}

async function pauseApps(
  { url }: DaemonState,
  dataDir: string,
  { signal, output }: Surroundings,
): Promise<number> {
  const token = tokenOf(dataDir)
  const { client } = connect({ url, ...(token !== undefined && { token }) })
  const { body } = await client.call('listLiveEnvironments', {}, { signal })
  const running = body.filter(({ state }) => state === 'running')
  for (const { id } of running) {
    const options = { signal, timeoutMs: 60_000 }
    await client.call('pauseEnvironment', { params: { id } }, options).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      output.note(`environment ${id} was not paused: ${why}`)
    })
  }
  return running.length
}

const stopMs = 20_000

async function end({ pid }: DaemonState, { signal }: Surroundings): Promise<void> {
  process.kill(pid, 'SIGTERM')
  const deadline = Date.now() + stopMs
  while (isDaemonProcess(pid)) {
    if (Date.now() > deadline) {
      throw new ClientError(`the daemon (process ${pid}) has not ended in ${stopMs / 1000} s`, {
        next: [`kill -9 ${pid}   loses nothing that was accepted`],
      })
    }
    await pause(50, undefined, { signal })
  }
}

/** Tells the gateway of a data folder to end; whether there was one. */
async function endGateway(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, 'gateway')
  const link = await connectLink(socketPathOf(folder, tmpdir()), 2_000)
  if (!link) return false
  link.send({ type: 'retire' })
  const deadline = Date.now() + 5_000
  while (isAlive(link.pid) && Date.now() < deadline) await pause(50)
  link.close()
  return true
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
