import { ConfigError, loadConfig, secretSettingNames } from './config.ts'
import { withConfigFile } from './config-file.ts'
import { DaemonError, diskFault } from './errors.ts'
import { hideSettings } from './hide-settings.ts'
import { createLogger } from './logger.ts'
import { startDaemon } from './start.ts'

declare const STRATA_VERSION: string

const usage = `usage: stratad [--version | --help]

Hosts apps: each pushed branch becomes a running environment. All settings are environment
variables with the prefix SERVICE_, or lines of config.env in the data folder; docs/daemon.md
lists them.
`

/** Maximum time for an orderly stop; then the process exits even if work is unfinished. */
const maxStopMs = 10_000

/** Runs the daemon until SIGTERM or SIGINT. Exit codes: 0 stopped, 1 failed to start, 2 invalid usage. */
export async function main(argv: readonly string[]): Promise<void> {
  const [flag, ...others] = argv
  if (flag === '--version' && others.length === 0) return print(`${STRATA_VERSION}\n`)
  if (flag === '--help' && others.length === 0) return print(usage)
  if (flag !== undefined) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  try {
    await run()
  } catch (fault) {
    const error = diskFault(fault)
    if (!(error instanceof ConfigError || error instanceof DaemonError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

async function run(): Promise<void> {
  const warn = (warning: string) => process.stderr.write(`${warning}\n`)
  const config = loadConfig(withConfigFile(process.env, warn), warn)
  const unhidden = hideSettings(process.env, secretSettingNames)
  const logger = await createLogger(config.logFormat)
  if (unhidden !== undefined) logger.warn({}, unhidden)
  const daemon = await startDaemon(config, { logger, version: STRATA_VERSION, env: process.env })
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping; apps and the gateway keep running')
    setTimeout(() => process.exit(0), maxStopMs).unref()
    await daemon.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function print(text: string): void {
  process.stdout.write(text)
}
