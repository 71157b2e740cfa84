// Usage: node migrate.js <database url> <SQL file>. Replaces `prisma migrate deploy`, which needs the schema engine.
import { readFileSync } from 'node:fs'
import { createClient } from '@libsql/client'

const [url, sqlFile] = process.argv.slice(2)
const db = createClient({ url })
await db.executeMultiple(readFileSync(sqlFile, 'utf8'))
db.close()
