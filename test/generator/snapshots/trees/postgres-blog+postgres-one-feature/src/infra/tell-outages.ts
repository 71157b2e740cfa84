import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { isOutage } from './outage.js'

/** Prisma's adapter, whose outages the client knows as such: most would end as faults of the app. */
export function tellOutages(stock: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    connect: async () => tellInAdapter(await told(stock.connect())),
  }
}

function tellInAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const start = adapter.startTransaction.bind(adapter)
  return Object.assign(tellInQueries(adapter), {
    startTransaction: async (level?: IsolationLevel) => tellInTransaction(await told(start(level))),
  })
}

function tellInTransaction(transaction: Transaction): Transaction {
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  return Object.assign(tellInQueries(transaction), {
    commit: () => told(commit()),
    rollback: () => told(rollback()),
  })
}

function tellInQueries<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable)
  const executeRaw = queryable.executeRaw.bind(queryable)
  return Object.assign(queryable, {
    queryRaw: (query: SqlQuery) => told(queryRaw(query)),
    executeRaw: (query: SqlQuery) => told(executeRaw(query)),
  })
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!isOutage(error)) throw error
    const kind = /time(d )?out/i.test(error.message) ? 'SocketTimeout' : 'ConnectionClosed'
    throw new DriverAdapterError({ kind, originalMessage: error.message })
  }
}
