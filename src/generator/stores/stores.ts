import type { StoreKind } from '../model/store-kinds.ts'
import { dynamodb } from './document/dynamodb.ts'
import { elasticsearch } from './document/elasticsearch.ts'
import { mongodb } from './document/mongodb.ts'
import { postgresJson } from './document/postgres-json.ts'
import { mysql } from './prisma-sql/mysql.ts'
import { postgres } from './prisma-sql/postgres.ts'
import { sqlite } from './prisma-sql/sqlite.ts'
import { sqlserver } from './prisma-sql/sqlserver.ts'
import type { Store } from './store.ts'

/** All kinds, the default first. */
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

/** Returns the record of a kind. Throws for an unknown kind, which the spec stage has already rejected. */
export function storeOf(kind: StoreKind): Store {
  const store = stores.find((candidate) => candidate.kind === kind)
  if (!store) throw new Error(`unknown store kind ${kind}`)
  return store
}
