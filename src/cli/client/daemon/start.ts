import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keepAutoSecrets } from '../../../../daemon/auto-token.ts'
import { ClientError } from '../client-error.ts'
import { codeOf, readContexts, withContext, writeContexts } from '../contexts.ts'
import { runClient, type Surroundings } from '../run.ts'
import type { CommonOptions } from '../session.ts'
import { lengthOf } from '../terminal/times.ts'
import { findDaemon, runningState } from './find-daemon.ts'
import { launchDaemon, readLogSince } from './launch.ts'
import {
  choosePlace,
  localContext,
  logPath,
  type Place,
  type PlaceOptions,
  urlOf,
} from './place.ts'
import { lockStart } from './start-lock.ts'
import { type DaemonState, writeState } from './state-file.ts'

export interface StartOptions extends CommonOptions, PlaceOptions {}

/** `strata daemon start`: a daemon on this machine that the client knows as `local`. Twice is fine. */
export function startDaemon(options: StartOptions): Promise<void> {
  return runClient(options, async (surroundings) => {
    const place = choosePlace(options)
    const token = await makeToken(place.dataDir)
    const running = runningState(place.dataDir)
    const url = running?.url ?? urlOf(place.host, place.port)
    const found = await findDaemon(url, token)
    if (found.kind === 'ours') return tell(surroundings, place, token, url, 'already running')
    if (running) {
      throw new ClientError(
        `a daemon runs (process ${running.pid}) and does not answer at ${url}`,
        {
          next: [
            'strata daemon stop, then strata daemon start',
            `its log: ${logPath(place.dataDir)}`,
          ],
        },
      )
    }
    if (found.kind === 'other-daemon') throw portTaken(place, found.kind)
    const startedAt = Date.now()
    await launchAlone(place, token, surroundings)
    tell(surroundings, place, token, url, `started in ${lengthOf(Date.now() - startedAt)}`)
  })
}

/** Made before the daemon runs, so that it has nothing to print. */
async function makeToken(dataDir: string): Promise<string> {
  try {
    makeFolder(dataDir)
    const made = await keepAutoSecrets(dataDir)
    return process.env.SERVICE_API_TOKEN || made.apiToken.reveal()
  } catch (cause) {
    const why = cause instanceof Error && !('code' in cause) ? cause.message : codeOf(cause)
    throw new ClientError(`the data folder ${dataDir} can't be used: ${why}`, {
      next: ['strata daemon start --data-dir <folder>'],
      cause,
    })
  }
}

/** Not `recursive`: with that, Node 20 does not come back from a folder such as `/proc/x`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

function isTaken({ host, port }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(codeOf(error) === 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })
}

function portTaken({ port, dataDir }: Place, found: 'other-daemon' | 'none' | 'ours'): ClientError {
  const who = found === 'other-daemon' ? 'a daemon of another data folder' : 'another program'
  return new ClientError(`port ${port} is in use by ${who}`, {
    next: [
      `strata daemon start --port ${port + 1}`,
      ...(found === 'other-daemon'
        ? [`echo "$TOKEN" | strata login http://127.0.0.1:${port}   uses the one that runs`]
        : [`stop what listens there (ss -tlnp 'sport = :${port}' shows it)`]),
      `its data would be in ${dataDir}; --data-dir chooses another folder`,
    ],
  })
}

/** Where another run of this command is starting it, that one is waited for. */
async function launchAlone(place: Place, token: string, surroundings: Surroundings): Promise<void> {
  const unlock = lockStart(place.dataDir)
  if (!unlock) {
    surroundings.output.note('another strata is starting the daemon …')
    const url = urlOf(place.host, place.port)
    await untilHealthy(undefined, url, token, surroundings.signal).catch((error: unknown) => {
      throw explain(place, '', error)
    })
    return
  }
  try {
    // Only now: the other run may have ended meanwhile, and two who look at once find each other on the port.
    const { kind } = await findDaemon(urlOf(place.host, place.port), token)
    if (kind === 'ours') return
    if (await isTaken(place)) throw portTaken(place, kind)
    await launch(place, token, surroundings)
  } finally {
    unlock()
  }
}

async function launch(
  place: Place,
  token: string,
  { output, signal }: Surroundings,
): Promise<void> {
  const { dataDir } = place
  const logFrom = { size: 0 }
  const child = launchDaemon(place, logFrom)
  const url = urlOf(place.host, place.port)
  output.note('starting the daemon …')
  try {
    await untilHealthy(child, url, token, signal)
  } catch (error) {
    if (child.exitCode === null) child.kill('SIGTERM')
    if (signal.aborted) throw error
    throw explain(place, readLogSince(dataDir, logFrom.size), error)
  }
  if (child.exitCode !== null || child.pid === undefined) return
  const startedAt = new Date().toISOString()
  const gatewayUrl = urlOf(place.gatewayHost, place.gatewayPort)
  writeState(dataDir, { pid: child.pid, url, gatewayUrl, startedAt })
}

const startMs = 40_000

/** Without a process of ours, for one that another starts. */
async function untilHealthy(
  child: ChildProcess | undefined,
  url: string,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + startMs
  for (;;) {
    const hasEnded = child && (child.exitCode !== null || child.signalCode !== null)
    if ((await findDaemon(url, token)).kind === 'ours') return
    if (hasEnded) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`)
    if (Date.now() > deadline) throw new Error(`it does not answer after ${startMs / 1000} s`)
    await pause(50, undefined, { signal })
  }
}

function explain({ gatewayPort, dataDir }: Place, said: string, cause: unknown): ClientError {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (/gateway can't listen/.test(said)) {
    return new ClientError(`port ${gatewayPort}, where apps are to answer, is in use`, {
      next: [
        `strata daemon start --gateway-port ${gatewayPort + 1}`,
        `stop what listens there (ss -tlnp 'sport = :${gatewayPort}' shows it)`,
      ],
    })
  }
  const lines = said.trimEnd().split('\n').slice(-10)
  return new ClientError(`the daemon did not start: ${why}`, {
    details: lines.filter((line) => line !== '').map((line) => `  │ ${line}`),
    next: ['strata doctor', `its log: ${logPath(dataDir)}`],
  })
}

function tell(
  { output }: Surroundings,
  place: Place,
  token: string,
  url: string,
  how: string,
): void {
  const { dataDir } = place
  const state: DaemonState | undefined = runningState(dataDir)
  const kept = readContexts()
  const before = kept.current
  writeContexts(withContext(kept, localContext, { url, token, data_dir: dataDir }))
  const gateway = state?.gatewayUrl ?? urlOf(place.gatewayHost, place.gatewayPort)
  const value = {
    status: how.startsWith('already') ? 'running' : 'started',
    pid: state?.pid ?? null,
    url,
    gateway_url: gateway,
    data_dir: dataDir,
    log: logPath(dataDir),
    context: localContext,
  }
  output.result(value, () => [
    `the daemon is ${how}`,
    `  API    ${url}`,
    `  apps   ${gateway}`,
    `  log    ${logPath(dataDir)}`,
    `  data   ${dataDir}`,
  ])
  if (before !== undefined && before !== localContext) {
    output.note(`the current context is ${localContext} now; it was ${before}`)
  }
}
