// The SQLite driver, which also appends every statement with its values, as a line of JSON, to the file that
// SQL_RECORD names.
import { appendFileSync } from 'node:fs'
import { DatabaseSync as Driver } from '@photostructure/sqlite'

export class DatabaseSync extends Driver {
  prepare(sql) {
    const statement = super.prepare(sql)
    for (const name of ['run', 'get', 'all']) {
      const execute = statement[name].bind(statement)
      const value = (...values) => {
        record({ sql, values })
        return execute(...values)
      }
      Object.defineProperty(statement, name, { value })
    }
    return statement
  }
}

function record(statement) {
  const text = JSON.stringify(statement, (_key, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  appendFileSync(process.env.SQL_RECORD, `${text}\n`)
}
