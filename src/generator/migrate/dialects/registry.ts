import type { StoreKind } from '../../model/store-kinds.ts'
import type { Dialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'
import { sqlserver } from './sqlserver.ts'

/** The dialects of the relational kinds. */
export const dialects: readonly Dialect[] = [sqlite, postgres, mysql, sqlserver]

/** Returns the dialect of a relational kind. Throws for another kind, which is a bug of the caller. */
export function dialectOf(kind: StoreKind): Dialect {
  const dialect = dialects.find((each) => each.kind === kind)
  if (dialect === undefined) throw new Error(`${kind} has no SQL dialect`)
  return dialect
}
