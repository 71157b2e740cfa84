// Loaded before an emitted application on SQLite: appends every statement it runs, with its values,
// as a line of JSON to the file that SQL_RECORD names.
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const Database = createRequire(join(process.cwd(), 'package.json'))('libsql')
const { prepare } = Database.prototype

Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  // `all` calls `iterate`, so wrapping `iterate` records both.
  for (const name of ['run', 'get', 'iterate']) {
    const execute = statement[name].bind(statement)
    statement[name] = (...values) => {
      record({ sql, values: values.flat() })
      return execute(...values)
    }
  }
  return statement
}

function record(statement) {
  const text = JSON.stringify(statement, (_key, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  appendFileSync(process.env.SQL_RECORD, `${text}\n`)
}
