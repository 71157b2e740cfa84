import type { StoreKind } from '../model/model.ts'
import { dynamodb } from './document/dynamodb.ts'
import { elasticsearch } from './document/elasticsearch.ts'
import { mongodb } from './document/mongodb.ts'
import { postgresJson } from './document/postgres-json.ts'
import { mysql } from './prisma-sql/mysql.ts'
import { postgres } from './prisma-sql/postgres.ts'
import { sqlite } from './prisma-sql/sqlite.ts'
import { sqlserver } from './prisma-sql/sqlserver.ts'
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
