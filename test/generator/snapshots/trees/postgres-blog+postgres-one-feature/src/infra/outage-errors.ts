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

/**
 * Converts outages of the adapter to errors that the client recognizes. Otherwise the app would
 * answer most outages with 500, not 503.
 */
export function withOutageErrors(stock: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    connect: async () => wrapAdapter(await convertOutage(stock.connect())),
  }
}

function wrapAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const start = adapter.startTransaction.bind(adapter)
  return Object.assign(wrapQueries(adapter), {
    startTransaction: async (level?: IsolationLevel) =>
      wrapTransaction(await convertOutage(start(level))),
  })
}

function wrapTransaction(transaction: Transaction): Transaction {
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  return Object.assign(wrapQueries(transaction), {
    commit: () => convertOutage(commit()),
    rollback: () => convertOutage(rollback()),
  })
}

function wrapQueries<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable)
  const executeRaw = queryable.executeRaw.bind(queryable)
  return Object.assign(queryable, {
    queryRaw: (query: SqlQuery) => convertOutage(queryRaw(query)),
    executeRaw: (query: SqlQuery) => convertOutage(executeRaw(query)),
  })
}

async function convertOutage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!isOutage(error)) throw error
    const kind = /time(d )?out/i.test(error.message) ? 'SocketTimeout' : 'ConnectionClosed'
    throw new DriverAdapterError({ kind, originalMessage: error.message })
  }
}
