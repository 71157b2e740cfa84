import type { CommonOptions } from '../connection/session.ts'
import { runClient } from '../run/run-command.ts'
import { styleOf } from '../terminal/style.ts'
import { formatAge } from '../terminal/units.ts'
import { findDaemon, runningState, tokenOf } from './find-daemon.ts'
import {
  chooseLocalSettings,
  chooseRunningDataDir,
  type LocalDaemonOptions,
  localUrl,
  logPath,
} from './local-settings.ts'

/** `strata daemon status`: exits with 1 unless the daemon runs and answers. */
export function daemonStatus(options: CommonOptions & LocalDaemonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const dataDir = chooseRunningDataDir(options)
    const state = runningState(dataDir)
    const settings = chooseLocalSettings({ ...options, dataDir })
    const url = state?.url ?? localUrl(settings.host, settings.port)
    const found = await findDaemon(url, tokenOf(dataDir))
    const isUp = found.kind === 'ours'
    const status = isUp ? 'running' : state ? 'not answering' : 'stopped'
    const value = {
      status,
      pid: state?.pid ?? null,
      url: isUp || state ? url : null,
      gateway_url: state?.gatewayUrl ?? null,
      version: isUp ? found.version : null,
      started_at: state?.startedAt ?? null,
      data_dir: dataDir,
      log: logPath(dataDir),
    }
    output.result(value, () => {
      const painted = output.paint(isUp ? styleOf('running') : 'red', status)
      return [
        `status   ${painted}${state ? ` (process ${state.pid}, started ${formatAge(state.startedAt, Date.now())})` : ''}`,
        ...(isUp || state ? [`API      ${url}${isUp ? ` (stratad ${found.version})` : ''}`] : []),
        ...(state ? [`apps     ${state.gatewayUrl}`] : []),
        `log      ${logPath(dataDir)}`,
        `data     ${dataDir}`,
      ]
    })
    if (isUp) return
    output.note('  try: strata daemon start')
    process.exitCode = 1
  })
}
