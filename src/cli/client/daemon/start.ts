import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepGeneratedSecrets } from '../../../../daemon/client/generated-secrets.ts'
import type { SettingValues } from '../../../../daemon/client/settings.ts'
import { readContexts, withContext, writeContexts } from '../connection/contexts.ts'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { formatDuration } from '../terminal/units.ts'
import { findDaemon, runningState } from './find-daemon.ts'
import {
  checkSettings,
  completeSettings,
  keepSettings,
  keptSettings,
  settingsToKeep,
} from './kept-settings.ts'
import { addressText, launchDaemon, readLogFrom } from './launch.ts'
import {
  chooseLocalSettings,
  chooseRunningDataDir,
  type LocalDaemonOptions,
  type LocalSettings,
  localContext,
  localUrl,
  logPath,
} from './local-settings.ts'
import { makeFolder } from './make-folder.ts'
import { portTaken, startFailed } from './start-errors.ts'
import { acquireStartLock } from './start-lock.ts'
import { type DaemonState, writeState } from './state-file.ts'

export interface StartOptions extends CommonOptions, LocalDaemonOptions {}

/** `strata daemon start`: starts a daemon on this machine and stores it as context `local`. Idempotent. */
export function startDaemon(options: StartOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    const settings = chooseLocalSettings({ ...options, dataDir: chooseRunningDataDir(options) })
    const chosen = chosenSettings(settings)
    checkSettings(settings.dataDir, { ...keptSettings(settings.dataDir), ...chosen })
    const token = await prepareToken(settings.dataDir)
    const running = runningState(settings.dataDir)
    const url = running?.url ?? localUrl(settings.host, settings.port)
    const found = await findDaemon(url, token)
    if (found.kind === 'ours') {
      noteUnused(options, chosen, settings.dataDir, invocation)
      return saveAndReport(invocation, settings, { token, url, startMs: undefined })
    }
    if (running) {
      throw new ClientError(
        `a daemon runs (process ${running.pid}) but does not answer at ${url}`,
        {
          next: [
            'strata daemon stop, then strata daemon start',
            `log file: ${logPath(settings.dataDir)}`,
          ],
        },
      )
    }
    if (found.kind === 'other-daemon') throw portTaken(settings, found.kind)
    const startedAt = Date.now()
    await launchLocked(settings, token, invocation)
    await keepSettings(settings.dataDir, chosen)
    saveAndReport(invocation, settings, { token, url, startMs: Date.now() - startedAt })
  })
}

/** Returns the settings that later starts use too: those of the environment, the addresses, and the generated token. */
function chosenSettings({ host, port, gatewayHost, gatewayPort }: LocalSettings): SettingValues {
  return {
    ...settingsToKeep(),
    SERVICE_AUTO_TOKEN: '1',
    SERVICE_ADDR: addressText(host, port),
    SERVICE_GATEWAY_ADDR: addressText(gatewayHost, gatewayPort),
  }
}

/** Reports settings of this command that the running daemon does not use. */
function noteUnused(
  { port, gatewayPort }: StartOptions,
  chosen: SettingValues,
  dataDir: string,
  { output }: Invocation,
): void {
  const kept = keptSettings(dataDir)
  const given = [
    ...Object.keys(settingsToKeep()),
    ...(port === undefined ? [] : ['SERVICE_ADDR']),
    ...(gatewayPort === undefined ? [] : ['SERVICE_GATEWAY_ADDR']),
  ]
  const unused = [...new Set(given)].filter((name) => chosen[name] !== kept[name])
  if (unused.length === 0) return
  output.note(
    `the running daemon keeps its own ${unused.join(', ')}: run strata daemon stop, then strata daemon start again`,
  )
}

/** Creates the token before the daemon starts, so that the daemon does not print a new token to its log. */
async function prepareToken(dataDir: string): Promise<string> {
  try {
    makeFolder(dataDir)
    const secrets = await keepGeneratedSecrets(dataDir)
    return completeSettings(dataDir).SERVICE_API_TOKEN || secrets.apiToken.reveal()
  } catch (cause) {
    const reason = cause instanceof Error && !('code' in cause) ? cause.message : codeOf(cause)
    throw new ClientError(`the data folder ${dataDir} can't be used: ${reason}`, {
      next: ['strata daemon start --data-dir <folder>'],
      cause,
    })
  }
}

function isPortTaken({ host, port }: LocalSettings): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(codeOf(error) === 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })
}

/** Launches the daemon under the start lock. If another `strata daemon start` holds the lock, waits for its daemon. */
async function launchLocked(
  settings: LocalSettings,
  token: string,
  invocation: Invocation,
): Promise<void> {
  const url = localUrl(settings.host, settings.port)
  const release = acquireStartLock(settings.dataDir)
  if (!release) {
    invocation.output.note('another strata is starting the daemon …')
    await waitUntilHealthy(undefined, url, token, invocation.signal).catch((error: unknown) => {
      throw startFailed(settings, '', error)
    })
    return
  }
  try {
    // Check again under the lock: another start may have completed since the first check.
    const { kind } = await findDaemon(url, token)
    if (kind === 'ours') return
    if (await isPortTaken(settings)) throw portTaken(settings, kind)
    await launch(settings, token, invocation)
  } finally {
    release()
  }
}

async function launch(
  settings: LocalSettings,
  token: string,
  { output, signal }: Invocation,
): Promise<void> {
  const { dataDir } = settings
  const { child, logOffset } = launchDaemon(settings)
  const url = localUrl(settings.host, settings.port)
  output.note('starting the daemon …')
  try {
    await waitUntilHealthy(child, url, token, signal)
  } catch (error) {
    if (child.exitCode === null) child.kill('SIGTERM')
    if (signal.aborted) throw error
    throw startFailed(settings, readLogFrom(dataDir, logOffset), error)
  }
  if (child.exitCode !== null || child.pid === undefined) return
  const startedAt = new Date().toISOString()
  const gatewayUrl = localUrl(settings.gatewayHost, settings.gatewayPort)
  writeState(dataDir, { pid: child.pid, url, gatewayUrl, startedAt })
}

const startTimeoutMs = 40_000

/** Polls until the daemon accepts the token. Throws if it exits or times out. `child` is undefined for a daemon that another process starts. */
async function waitUntilHealthy(
  child: ChildProcess | undefined,
  url: string,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const hasExited = child && (child.exitCode !== null || child.signalCode !== null)
    if ((await findDaemon(url, token)).kind === 'ours') return
    if (hasExited) throw new Error(`it exited with ${child.exitCode ?? child.signalCode}`)
    if (Date.now() > deadline) throw new Error(`no answer after ${startTimeoutMs / 1000} s`)
    await sleep(50, undefined, { signal })
  }
}

/** Saves the context and prints the result. `startMs` is undefined if the daemon was already running. */
function saveAndReport(
  { output }: Invocation,
  settings: LocalSettings,
  { token, url, startMs }: { token: string; url: string; startMs: number | undefined },
): void {
  const { dataDir } = settings
  const state: DaemonState | undefined = runningState(dataDir)
  const stored = readContexts()
  const previous = stored.current
  writeContexts(withContext(stored, localContext, { url, token, data_dir: dataDir }))
  const gateway = state?.gatewayUrl ?? localUrl(settings.gatewayHost, settings.gatewayPort)
  const value = {
    status: startMs === undefined ? 'running' : 'started',
    pid: state?.pid ?? null,
    url,
    gateway_url: gateway,
    data_dir: dataDir,
    log: logPath(dataDir),
    context: localContext,
  }
  output.result(value, () => [
    startMs === undefined
      ? 'the daemon is already running'
      : `the daemon started in ${formatDuration(startMs)}`,
    `  API    ${url}`,
    `  apps   ${gateway}`,
    `  log    ${logPath(dataDir)}`,
    `  data   ${dataDir}`,
  ])
  if (previous !== undefined && previous !== localContext) {
    output.note(`the current context is now ${localContext}; before it was ${previous}`)
  }
}
