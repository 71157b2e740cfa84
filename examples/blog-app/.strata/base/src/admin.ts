import { existsSync } from 'node:fs'
import { ConfigError, loadConfig } from './config.js'
import { createRepositories } from './container.js'
import { StoreError } from './infra/database-file.js'
import { openStore } from './infra/store.js'
import { makeAdmin } from './use-cases/make-admin.js'

// `npm run admin -- <email>`, or `node dist/admin.js <email>` in a container. The user's tokens stay valid.
if (existsSync('.env')) process.loadEnvFile('.env')

const [email, ...rest] = process.argv.slice(2)
if (!email || rest.length > 0) stop('usage: npm run admin -- <email>', 2)

try {
  const { DATABASE_URL } = loadConfig(process.env)
  const store = await openStore(DATABASE_URL)
  const isFound = await makeAdmin(createRepositories(store).users, email, new Date())
  await store.close()
  if (!isFound) stop(`no user has the e-mail address ${email}: register first`, 1)
  process.stdout.write(`${email} is an admin\n`)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StoreError)) throw error
  stop(error.message, 1)
}

function stop(message: string, code: number): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}
