import { PrismaPg } from '@prisma/adapter-pg'
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
} from '@prisma/driver-adapter-utils'
import type { PoolConfig } from 'pg'
import { isOutage } from './outage.js'

/** More than the app has queries: what comes after them is parsed anew each time. */
const maxStatements = 200

/** Prisma's adapter, with statements that stay prepared and outages that the client knows as such. */
export function createAdapter(
  pool: PoolConfig,
  { schema, keepsStatements }: { schema: string; keepsStatements: boolean },
): SqlDriverAdapterFactory {
  const statementNameGenerator = createStatementNames()
  const stock = new PrismaPg(pool, { schema, ...(keepsStatements && { statementNameGenerator }) })
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    async connect() {
      const adapter = tellOutages(await stock.connect())
      const start = adapter.startTransaction.bind(adapter)
      return Object.assign(adapter, {
        startTransaction: async (level?: IsolationLevel) => tellOutages(await told(start(level))),
      })
    },
  }
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

function tellOutages<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable)
  const executeRaw = queryable.executeRaw.bind(queryable)
  return Object.assign(queryable, {
    queryRaw: (query: SqlQuery) => told(queryRaw(query)),
    executeRaw: (query: SqlQuery) => told(executeRaw(query)),
  })
}

/** The stock adapter throws most outages as `pg` does, which would end as faults of the app. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!isOutage(error)) throw error
    const kind = error.message.includes('timeout') ? 'SocketTimeout' : 'ConnectionClosed'
    throw new DriverAdapterError({ kind, originalMessage: error.message })
  }
}
