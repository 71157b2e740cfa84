import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import type { PoolConfig } from 'pg'
import { tellOutages } from './tell-outages.js'

/** More than the app has queries: what comes after them is parsed anew each time. */
const maxStatements = 200

/** Prisma's adapter, with statements that stay prepared and outages that the client knows as such. */
export function createAdapter(
  pool: PoolConfig,
  { schema, keepsStatements }: { schema: string; keepsStatements: boolean },
): SqlDriverAdapterFactory {
  const statementNameGenerator = createStatementNames()
  return tellOutages(
    new PrismaPg(pool, { schema, ...(keepsStatements && { statementNameGenerator }) }),
  )
}

/** A name for each query's text. Lists of ids come in too many lengths to keep; an empty name keeps nothing. */
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
