import { runClient } from '../run.ts'
import type { CommonOptions } from '../session.ts'
import { styleOf } from '../terminal/style.ts'
import { ago } from '../terminal/times.ts'
import { findDaemon, runningState, tokenOf } from './find-daemon.ts'
import { choosePlace, chooseRunningDataDir, logPath, type PlaceOptions, urlOf } from './place.ts'

/** `strata daemon status`: 0 while it runs and answers, else 1. */
export function daemonStatus(options: CommonOptions & PlaceOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const dataDir = chooseRunningDataDir(options)
    const state = runningState(dataDir)
    const place = choosePlace(options)
    const url = state?.url ?? urlOf(place.host, place.port)
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
        `status   ${painted}${state ? ` (process ${state.pid}, started ${ago(state.startedAt, Date.now())})` : ''}`,
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
