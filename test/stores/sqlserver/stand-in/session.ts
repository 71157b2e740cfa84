import { unsigned } from './bytes.ts'
import type { Database } from './database.ts'
import type { Asked, Values } from './requests.ts'
import { rowTokens } from './rows.ts'
import {
  began,
  cancelled,
  done,
  doneCall,
  ended,
  faultToken,
  loggedIn,
  type Outcome,
  preLogin,
} from './tokens.ts'

/** One connection: its database and its transaction. */
export interface Session {
  /** The tokens of the answer. Throws for what the stand-in can't answer. */
  readonly answer: (asked: Asked) => Promise<Buffer>
  /** Takes back what is not committed. */
  readonly end: () => void
}

let transactions = 0

export function createSession(databaseOf: (name: string) => Database): Session {
  const self = {}
  let database: Database | undefined
  let transaction: Buffer | undefined

  async function answer(asked: Asked): Promise<Buffer> {
    switch (asked.kind) {
      case 'prelogin':
        return preLogin
      case 'login':
        database = databaseOf(asked.database)
        return loggedIn
      case 'cancel':
        return cancelled
      case 'begin': {
        await opened().take(self)
        opened().control('BEGIN')
        transactions += 1
        transaction = unsigned(transactions, 8)
        return began(transaction)
      }
      case 'commit':
      case 'rollback':
        return ended(asked.kind, endTransaction(asked.kind))
      case 'batch':
        return alone(() => batch(asked.sql))
      case 'call':
        return alone(() => run(asked.sql, doneCall, asked.values))
    }
  }

  function opened(): Database {
    if (database === undefined) throw new Error('a connection that has not logged in')
    return database
  }

  /** While no other connection has begun a transaction. */
  async function alone(work: () => Buffer): Promise<Buffer> {
    await opened().take(self)
    try {
      return work()
    } finally {
      if (transaction === undefined) opened().leave(self)
    }
  }

  function batch(sql: string): Buffer {
    // A database is there once somebody logs in to it.
    if (/^(set|(CREATE|ALTER|DROP) DATABASE) /.test(sql)) return done()
    if (sql.includes('sp_getapplock')) {
      const won = rowTokens([{ name: 'won', declared: 'INT' }], [[0]])
      return Buffer.concat([won, done({ count: 1 })])
    }
    if (!sql.startsWith('BEGIN TRY')) return run(sql, done)
    opened().migrate(sql)
    return done()
  }

  function run(sql: string, end: (outcome: Outcome) => Buffer, values?: Values): Buffer {
    const result = opened().run(sql, values)
    if ('number' in result) return Buffer.concat([faultToken(result), end({ failed: true })])
    const { columns, rows, count } = result
    const tokens = columns.length === 0 ? [] : [rowTokens(columns, rows)]
    return Buffer.concat([...tokens, end({ count })])
  }

  function endTransaction(how: 'commit' | 'rollback'): Buffer {
    if (transaction === undefined) throw new Error(`a ${how} of no transaction`)
    const was = transaction
    opened().control(how === 'commit' ? 'COMMIT' : 'ROLLBACK')
    transaction = undefined
    opened().leave(self)
    return was
  }

  return {
    answer,
    end: () => {
      if (transaction !== undefined) endTransaction('rollback')
    },
  }
}
