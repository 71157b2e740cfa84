import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { createApp } from './app.js'
import { type Config, ConfigError, loadConfig } from './config.js'
import { createContainer, createRepositories } from './container.js'
import { createServer } from './http/server.js'
import { stopServer } from './http/stop-server.js'
import { StoreError } from './infra/database-file.js'
import { createLogger } from './infra/logger.js'
import { createPasswords } from './infra/passwords.js'
import { openStore } from './infra/store.js'
import { createTokens } from './infra/tokens.js'
import { createUploads } from './infra/uploads.js'

/** The time after SIGTERM for pending requests, and for idle connections. */
const stopDelays = { graceMs: 8_000, idleMs: 1_000 }

if (existsSync('.env')) process.loadEnvFile('.env')

try {
  await start()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StoreError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

async function start() {
  const config = loadConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const store = await openStore(config.DATABASE_URL)
  const uploads = createUploads(config.UPLOAD_DIR)
  await uploads.sweep()
  const container = createContainer(createRepositories(store), {
    passwords: createPasswords(),
    tokens: createTokens(config.JWT_SECRET),
    uploads,
  })
  let isStopping = false
  const ping = async () => {
    if (isStopping) throw new Error('the app is stopping')
    await store.ping()
  }
  const server = createServer(await createApp(container, logger, { ...config, ping }))

  await listen(server, config)
  logger.info({ host: config.HOST, port: config.PORT }, 'listening')

  const stop = async (signal: string) => {
    // The signal can come twice: a supervisor signals the whole process group, and npm forwards its own.
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping')
    await stopServer(server, stopDelays)
    await uploads.sweep()
    await store.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function listen(server: Server, { HOST: host, PORT: port }: Config) {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError([`cannot listen on HOST ${host} and PORT ${port} (${reason})`])
  }
}
