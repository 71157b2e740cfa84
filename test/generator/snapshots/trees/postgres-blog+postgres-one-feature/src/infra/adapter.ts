import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import type { PoolConfig } from 'pg'
import { withOutageErrors } from './outage-errors.js'

/**
 * Limit of prepared statements, above the app's number of queries. Further statements are not
 * prepared.
 */
const maxStatements = 200

/** Creates Prisma's adapter with named prepared statements, and with outages that the client recognizes. */
export function createAdapter(
  pool: PoolConfig,
  { schema, keepsStatements }: { schema: string; keepsStatements: boolean },
): SqlDriverAdapterFactory {
  const statementNameGenerator = createStatementNames()
  return withOutageErrors(
    new PrismaPg(pool, { schema, ...(keepsStatements && { statementNameGenerator }) }),
  )
}

/**
 * Names each statement by its text. A statement with an empty name is not prepared: lists of ids
 * have too many lengths.
 */
function createStatementNames() {
  const names = new Map<string, string>()
  return ({ sql }: SqlQuery): string => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= maxStatements || sql.includes(' IN (')) return ''
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}
