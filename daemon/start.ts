import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Address, Config } from './config.ts'
import { createContainer, type ProcessContext, type Secrets } from './container.ts'
import { prepareDataFolder, requireRoom, requireWritable } from './data-folder.ts'
import { DaemonError } from './errors.ts'
import { keepGeneratedSecrets } from './generated-secrets.ts'
import { lockDatabase, lockDataDir } from './instance-lock.ts'
import type { Redacted } from './ports.ts'

export interface Daemon {
  /** The address of the API. Contains the actual port if the configured port is 0. */
  readonly address: Address
  /** Stops the daemon within seconds. Apps and the gateway keep running. */
  stop(): Promise<void>
}

/** Maximum time for open requests to end when the daemon stops. */
const graceMs = 5_000

/**
 * Locks the data folder, opens the database, adopts apps of the previous daemon, and listens. Throws DaemonError if the
 * folder, its content or an address can't be used.
 */
export async function startDaemon(config: Config, context: ProcessContext): Promise<Daemon> {
  const { logger } = context
  requireWritable(config.dataDir)
  prepareDataFolder(config.dataDir, logger)
  requireRoom(config.dataDir)
  const unlock = lockDataDir(config.dataDir)
  const unlockDatabase =
    config.databaseFile === null ? undefined : lockDatabase(config.databaseFile)
  const secrets = await chooseSecrets(config)
  const container = await createContainer(config, secrets, context)
  const { server } = container.http
  await container.start()
  const address = await listen(server, config.address)
  logger.info({ address, gateway: config.gatewayAddress, dataDir: config.dataDir }, 'listening')
  return {
    address,
    async stop() {
      await Promise.all([container.http.close(graceMs), container.stop()])
      await container.close()
      unlockDatabase?.()
      unlock()
    },
  }
}

/**
 * Chooses each secret: the configured value, otherwise a generated one if SERVICE_AUTO_TOKEN is set, otherwise none.
 */
async function chooseSecrets(config: Config): Promise<Secrets> {
  const { apiToken, autoToken, webhookSecret, dataDir } = config
  const auto = autoToken ? await keepGeneratedSecrets(dataDir) : undefined
  if (auto?.isNew) announce(auto)
  const generated = auto?.apiToken
  return {
    token: apiToken
      ? { kind: 'explicit', value: apiToken }
      : generated
        ? { kind: 'auto', value: generated }
        : { kind: 'none' },
    webhookSecret: webhookSecret ?? auto?.webhookSecret ?? null,
  }
}

/** Prints new secrets once, to standard error: log collectors read standard output. */
function announce({ apiToken, webhookSecret }: { apiToken: Redacted; webhookSecret: Redacted }) {
  process.stderr.write(
    `new API token:       ${apiToken.reveal()}\nnew webhook secret:  ${webhookSecret.reveal()}\nthe data folder keeps both; they are not shown again\n`,
  )
}

async function listen(server: Server, { host, port }: Address): Promise<Address> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new DaemonError('conflict', `can't listen on SERVICE_ADDR ${host}:${port} (${code})`)
  }
  const address = server.address()
  return { host, port: typeof address === 'object' && address ? address.port : port }
}
