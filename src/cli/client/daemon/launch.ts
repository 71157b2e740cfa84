import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { completeSettings } from './kept-settings.ts'
import { type LocalSettings, logPath } from './local-settings.ts'

const maxLogBytes = 10 * 2 ** 20

/** Entry point of the daemon, relative to the bundle in dist/ that contains this module. */
const program = join(import.meta.dirname, '..', 'bin', 'stratad.js')

/**
 * Starts a detached daemon that appends to its log file and outlives this process. Returns the process, and the size of the
 * log before the start.
 */
export function launchDaemon(settings: LocalSettings): { child: ChildProcess; logOffset: number } {
  const { dataDir, host, port, gatewayHost, gatewayPort } = settings
  const log = openLog(dataDir)
  const logOffset = fstatSync(log).size
  try {
    const child = spawn(process.execPath, [program], {
      cwd: dataDir,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        ...withoutClientSettings(process.env),
        ...trustInOwnApps(dataDir),
        SERVICE_AUTO_TOKEN: '1',
        SERVICE_DATA_DIR: dataDir,
        SERVICE_ADDR: addressText(host, port),
        SERVICE_GATEWAY_ADDR: addressText(gatewayHost, gatewayPort),
      },
    })
    child.unref()
    return { child, logOffset }
  } finally {
    closeSync(log)
  }
}

/** Reads the log from a byte offset to its end. */
export function readLogFrom(dataDir: string, offset: number): string {
  try {
    return readFileSync(logPath(dataDir)).subarray(offset).toString('utf8')
  } catch {
    return ''
  }
}

/** Opens the log for appending. Rotates a log above 10 MiB to `daemon.log.1`, which replaces the previous one. */
function openLog(dataDir: string): number {
  const path = logPath(dataDir)
  const file = openSync(path, 'a', 0o600)
  if (fstatSync(file).size <= maxLogBytes) return file
  closeSync(file)
  renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

export function addressText(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** A person's own daemon hosts that person's apps. As root, the daemon has walls and needs no trust. */
function trustInOwnApps(dataDir: string): NodeJS.ProcessEnv {
  if (process.geteuid?.() === 0) return {}
  return { SERVICE_TRUST_APPS: completeSettings(dataDir).SERVICE_TRUST_APPS ?? '1' }
}

/** Removes the client's variables: STRATA_TOKEN may be the token of another daemon. */
function withoutClientSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { STRATA_HOST, STRATA_TOKEN, STRATA_CONTEXT, ...others } = env
  return others
}
