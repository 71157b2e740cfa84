import type { StoreKind } from '../model/model.ts'
import { dynamodb } from './dynamodb.ts'
import { elasticsearch } from './elasticsearch.ts'
import { mongodb } from './mongodb.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { postgresJson } from './postgres-json.ts'
import { sqlite } from './sqlite.ts'
import { sqlserver } from './sqlserver.ts'
import type { Store } from './store.ts'

/** The kinds that can be generated, the default first. */
const stores: readonly Store[] = [
  sqlite,
  postgres,
  postgresJson,
  mysql,
  sqlserver,
  mongodb,
  elasticsearch,
  dynamodb,
]

export const availableKinds: readonly StoreKind[] = stores.map(({ kind }) => kind)

/** The record of a kind. The spec stage lets no other kind through. */
export function storeOf(kind: StoreKind): Store {
  const store = stores.find((candidate) => candidate.kind === kind)
  if (!store) throw new Error(`no record for the store kind ${kind}`)
  return store
}
