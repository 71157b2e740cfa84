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

/** A connection with its database and transaction. */
export interface Session {
  /** Returns the answer tokens. Throws for unsupported messages. */
  readonly answer: (asked: Asked) => Promise<Buffer>
  /** Rolls back the open transaction. */
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
    if (database === undefined) throw new Error('the connection has not logged in')
    return database
  }

  /** Runs when no other connection has an open transaction. */
  async function alone(work: () => Buffer): Promise<Buffer> {
    await opened().take(self)
    try {
      return work()
    } finally {
      if (transaction === undefined) opened().leave(self)
    }
  }

  function batch(sql: string): Buffer {
    // The first log-in creates the database, so these statements are no-ops.
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
    if (transaction === undefined) throw new Error(`${how} without a transaction`)
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
