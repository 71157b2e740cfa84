import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { logPath, type Place } from './place.ts'

const largestLogBytes = 10 * 2 ** 20

/** Beside the bundle that this is a part of. */
const program = join(import.meta.dirname, '..', 'bin', 'stratad.js')

/** Starts a daemon whose life does not hang on ours; it writes to its log file. */
export function launchDaemon(place: Place, logFrom: { size: number }): ChildProcess {
  const output = openLog(place.dataDir)
  logFrom.size = fstatSync(output).size
  try {
    const child = spawn(process.execPath, [program], {
      cwd: place.dataDir,
      detached: true,
      stdio: ['ignore', output, output],
      env: {
        ...withoutClientSettings(process.env),
        SERVICE_AUTO_TOKEN: '1',
        SERVICE_DATA_DIR: place.dataDir,
        SERVICE_ADDR: addressOf(place.host, place.port),
        SERVICE_GATEWAY_ADDR: addressOf(place.gatewayHost, place.gatewayPort),
      },
    })
    child.unref()
    return child
  } finally {
    closeSync(output)
  }
}

/** What the daemon has written since it was started. */
export function readLogSince(dataDir: string, size: number): string {
  try {
    return readFileSync(logPath(dataDir)).subarray(size).toString('utf8')
  } catch {
    return ''
  }
}

/** The log of before is kept once when it has grown large. */
function openLog(dataDir: string): number {
  const path = logPath(dataDir)
  const file = openSync(path, 'a', 0o600)
  if (fstatSync(file).size <= largestLogBytes) return file
  closeSync(file)
  renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The token of another daemon is none of this one's business. */
function withoutClientSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { STRATA_HOST, STRATA_TOKEN, STRATA_CONTEXT, ...others } = env
  return others
}
