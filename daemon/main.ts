import { ConfigError, loadConfig } from './config.ts'
import { DaemonError, diskFault } from './errors.ts'
import { createLogger } from './logger.ts'
import { startDaemon } from './start.ts'

declare const STRATA_VERSION: string

const usage = `usage: stratad [--version | --help]

Hosts applications: a branch pushed is a branch live. All settings are environment variables
that begin with SERVICE_; docs/daemon.md says which.
`

/** After this the daemon ends, whatever still waits. */
const stopWithinMs = 10_000

/** Runs the daemon until it is told to stop. Exit codes: 0 stopped, 1 it could not start, 2 bad usage. */
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
  const config = loadConfig(process.env, (warning) => process.stderr.write(`${warning}\n`))
  const logger = await createLogger(config.logFormat)
  const daemon = await startDaemon(config, { logger, version: STRATA_VERSION, env: process.env })
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping; apps and gateway go on')
    setTimeout(() => process.exit(0), stopWithinMs).unref()
    await daemon.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function print(text: string): void {
  process.stdout.write(text)
}
