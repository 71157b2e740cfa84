import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Fault } from './tokens.ts'

/**
 * Maps a SQLite error to the SQL Server error. Returns undefined for other errors, which mean a bug
 * in the stand-in or in the statement.
 */
export function faultOf(
  sqlite: DatabaseSyncInstance,
  sql: string,
  message: string,
): Fault | undefined {
  if (message.includes('FOREIGN KEY constraint failed')) {
    const [verb] = /INSERT|MERGE|UPDATE|DELETE/.exec(sql) ?? []
    const text = `The ${verb} statement conflicted with the FOREIGN KEY constraint "unknown_fkey". The conflict occurred in database "unknown", table "dbo.unknown", column 'id'.`
    return { number: 547, text }
  }
  const [, places] = /UNIQUE constraint failed: (.*)$/.exec(message) ?? []
  if (places === undefined) return undefined
  const [table = ''] = places.split('.')
  const columns = places.replaceAll(`${table}.`, '')
  const { name, partial } = sqlite.prepare(uniqueIndex).get({ table, columns })
  const value = 'The duplicate key value is (unknown).'
  return partial
    ? {
        number: 2601,
        text: `Cannot insert duplicate key row in object 'dbo.${table}' with unique index '${name}'. ${value}`,
      }
    : {
        number: 2627,
        text: `Violation of UNIQUE KEY constraint '${name}'. Cannot insert duplicate key in object 'dbo.${table}'. ${value}`,
      }
}

const uniqueIndex = `
  SELECT name, partial FROM pragma_index_list(@table) AS list
  WHERE "unique" AND @columns = (
    SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_index_info(list.name) ORDER BY seqno)
  )`
