import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { keepAutoSecrets } from './auto-token.ts'
import type { Address, Config } from './config.ts'
import { createContainer } from './container.ts'
import { DaemonError } from './errors.ts'
import type { MasterToken } from './http/auth.ts'
import { lockDataDir } from './instance-lock.ts'
import type { Redacted } from './ports.ts'

export interface Daemon {
  /** Where the API listens. */
  readonly address: Address
  /** Ends within seconds; apps and gateway go on. */
  stop(): Promise<void>
}

export interface Surroundings {
  readonly logger: Logger
  readonly version: string
  /** The daemon's own environment: programs that it starts take PATH, proxies and npm's settings from it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Told of each named step as it begins, as `deploy:start`; for tests that break it off there. */
  readonly reached?: (step: string) => void | Promise<void>
}

/** In milliseconds, for requests in hand when the daemon is told to stop. */
const graceMs = 5_000

/**
 * Takes the data folder, opens what is in it, takes over what an earlier daemon left running, and listens. Throws
 * DaemonError with a sentence for what keeps it from that.
 */
export async function startDaemon(config: Config, surroundings: Surroundings): Promise<Daemon> {
  const { logger } = surroundings
  makeDataDir(config.dataDir)
  const unlock = lockDataDir(config.dataDir)
  const secrets = await chooseSecrets(config)
  const container = await createContainer(config, secrets, surroundings)
  const { server } = container.http
  await container.start()
  const address = await listen(server, config.address)
  logger.info({ address, gateway: config.gatewayAddress, dataDir: config.dataDir }, 'listening')
  return {
    address,
    async stop() {
      await Promise.all([container.http.close(graceMs), container.stop()])
      await container.close()
      unlock()
    },
  }
}

export interface Secrets {
  readonly token: MasterToken
  readonly webhookSecret: Redacted | null
}

/** What was set, else what the daemon makes and keeps where it is allowed to, else nothing. */
async function chooseSecrets(config: Config): Promise<Secrets> {
  const { apiToken, autoToken, webhookSecret, dataDir } = config
  const auto = autoToken ? await keepAutoSecrets(dataDir) : undefined
  if (auto?.isNew) announce(auto)
  const made = auto?.apiToken
  return {
    token: apiToken
      ? { kind: 'explicit', value: apiToken }
      : made
        ? { kind: 'auto', value: made }
        : { kind: 'none' },
    webhookSecret: webhookSecret ?? auto?.webhookSecret ?? null,
  }
}

/** The one time that these are printed: to standard error, where no log collector takes them for a log line. */
function announce({ apiToken, webhookSecret }: { apiToken: Redacted; webhookSecret: Redacted }) {
  process.stderr.write(
    `made an API token:      ${apiToken.reveal()}\nmade a webhook secret:  ${webhookSecret.reveal()}\nthey are kept in the data folder and not shown again\n`,
  )
}

function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DaemonError(
      'internal',
      `the data folder ${path} can't be made: set SERVICE_DATA_DIR`,
      {
        cause: error,
      },
    )
  }
}

async function listen(server: Server, { host, port }: Address): Promise<Address> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new DaemonError('conflict', `SERVICE_ADDR ${host}:${port} can't be listened on (${code})`)
  }
  const address = server.address()
  return { host, port: typeof address === 'object' && address ? address.port : port }
}
