import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type AppSettings, createApp } from '../../src/app.js'
import { createContainer } from '../../src/container.js'
import { createServer } from '../../src/http/server.js'
import { stopServer } from '../../src/http/stop-server.js'
import { createLogger } from '../../src/infra/logger.js'
import type { TestStore } from './stores.js'

const settings: AppSettings = {
  CORS_ORIGINS: [],
  TRUST_PROXY: 0,
  DOCS: true,
  METRICS: false,
  ping: async () => {},
}

/** Starts the app on a free port. `headers` authenticate a request: this app needs none. */
export async function startApp(store: TestStore, changed: Partial<AppSettings> = {}) {
  const { repositories, close } = await store.open()
  const container = createContainer(repositories)
  const app = await createApp(container, createLogger('silent'), { ...settings, ...changed })
  const server = createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers: Record<string, string> = {}
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    repositories,
    headers,
    async stop() {
      await stopServer(server, { graceMs: 1_000, idleMs: 0 })
      await close()
    },
  }
}
