import { createSecretKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppSettings, createApp } from '../../src/app.js'
import { createContainer } from '../../src/container.js'
import type { User } from '../../src/domain/user.js'
import { createServer } from '../../src/http/server.js'
import { stopServer } from '../../src/http/stop-server.js'
import { createLogger } from '../../src/infra/logger.js'
import { createPasswords } from '../../src/infra/passwords.js'
import { createTokens } from '../../src/infra/tokens.js'
import { createUploads } from '../../src/infra/uploads.js'
import { seedUser } from './seed-user.js'
import type { TestStore } from './stores.js'

/** The lowest cost of bcrypt, which keeps tests fast. */
const passwordCost = 4

const settings: AppSettings = {
  CORS_ORIGINS: [],
  TRUST_PROXY: 0,
  DOCS: true,
  METRICS: false,
  ping: async () => {},
}

/** Starts the app on a free port. The headers authenticate a request as the existing users. */
export async function startApp(store: TestStore, changed: Partial<AppSettings> = {}) {
  const { repositories, close } = await store.open()
  const folder = mkdtempSync(join(tmpdir(), 'shop-'))
  const tokens = createTokens(createSecretKey(randomBytes(32)))
  const uploads = createUploads(join(folder, 'uploads'))
  const passwords = createPasswords(passwordCost)
  const container = createContainer(repositories, { passwords, tokens, uploads })

  const app = await createApp(container, createLogger('silent'), { ...settings, ...changed })
  const server = createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const headersOf = (user: User): Record<string, string> => ({
    authorization: `Bearer ${tokens.issue(user)}`,
  })
  const [caller, stranger] = [await seedUser(repositories), await seedUser(repositories)]
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    repositories,
    caller,
    headers: headersOf(caller),
    stranger,
    strangerHeaders: headersOf(stranger),
    adminHeaders: headersOf(await seedUser(repositories, 'admin')),
    uploadFolder: uploads.folder,
    async stop() {
      await stopServer(server, { graceMs: 1_000, idleMs: 0 })
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}
