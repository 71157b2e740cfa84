import type { StoreKind } from '../../model/model.ts'
import type { Dialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'
import { sqlserver } from './sqlserver.ts'

/** Of the kinds that speak an SQL of their own; the record of another one names the dialect that it speaks. */
export const dialects: readonly Dialect[] = [sqlite, postgres, mysql, sqlserver]

/** Throws for a kind without one, which only a mistake of ours asks for. */
export function dialectOf(kind: StoreKind): Dialect {
  const dialect = dialects.find((each) => each.kind === kind)
  if (dialect === undefined) throw new Error(`${kind} has no dialect of its own`)
  return dialect
}
