import type { Model } from '../model/model.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { dynamodb } from './document/dynamodb.ts'
import { elasticsearch } from './document/elasticsearch.ts'
import { mongodb } from './document/mongodb.ts'
import { postgresJson } from './document/postgres-json.ts'
import { kyselyPostgres } from './kysely-sql/postgres.ts'
import { kyselySqlite } from './kysely-sql/sqlite.ts'
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

/** The kinds whose queries Kysely can run: the list `ormKinds.kysely`. */
const kyselyStores: readonly Store[] = [kyselySqlite, kyselyPostgres]

/** Returns the record of a kind. Throws for an unknown kind, which the spec stage has already rejected. */
export function storeOf(of: StoreKind | Pick<Model, 'database' | 'orm'>): Store {
  const { database, orm } = typeof of === 'string' ? { database: of, orm: undefined } : of
  const candidates = orm === 'kysely' ? kyselyStores : stores
  const store = candidates.find(({ kind }) => kind === database)
  if (!store) throw new Error(`unknown store kind ${database}`)
  return store
}
