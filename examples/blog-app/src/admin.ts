// `npm run admin -- <email>`: makes a user an admin. In production: `node dist/admin.js <email>`.
import { existsSync } from 'node:fs'
import { loadConfig } from './config.js'
import { createRepositories } from './container.js'
import { openStore } from './infra/store.js'

const [email = ''] = process.argv.slice(2)
if (existsSync('.env')) process.loadEnvFile('.env')
const store = await openStore(loadConfig(process.env).DATABASE_URL)
const { users } = createRepositories(store)
const user = await users.findByEmail(email.toLowerCase())
const changes = { role: 'admin', updatedAt: new Date() } as const
const isChanged = user !== undefined && (await users.updateIfUnchanged(user, changes))
await store.close()
console.log(isChanged ? `${email} is an admin` : `no user has the e-mail address "${email}"`)
process.exit(isChanged ? 0 : 1)
