import type { StoreKind } from '../../model/model.ts'
import type { Dialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'
import { sqlserver } from './sqlserver.ts'

/** The relational kinds; the others have no tables and no dialect. */
export const dialects: readonly Dialect[] = [sqlite, postgres, mysql, sqlserver]

/** Throws for a kind that is not relational, which only a mistake of ours asks for. */
export function dialectOf(kind: StoreKind): Dialect {
  const dialect = dialects.find((each) => each.kind === kind)
  if (dialect === undefined) throw new Error(`${kind} is not a relational kind of store`)
  return dialect
}
