import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import type { Skipped } from '../servers/test-server.ts'
import { startDynamodb } from './dynamodb.ts'
import { startElasticsearch } from './elasticsearch.ts'
import type { Kind, StartKind } from './kind.ts'
import { startMongodb } from './mongodb.ts'
import { startMysql } from './mysql.ts'
import { startPostgres, startPostgresJson } from './postgres.ts'
import { startSqlite } from './sqlite.ts'
import { startSqlserver } from './sqlserver.ts'

/** The function that starts each of the eight kinds. */
export const starters: Readonly<Record<StoreKind, StartKind | Skipped>> = {
  sqlite: startSqlite,
  postgres: startPostgres,
  'postgres-json': startPostgresJson,
  mysql: startMysql,
  sqlserver: startSqlserver,
  mongodb: startMongodb,
  elasticsearch: startElasticsearch,
  dynamodb: startDynamodb,
}

/** Starts the server of a kind. Returns the reason if the server cannot run here. */
export async function startKind(kind: StoreKind): Promise<Kind | Skipped> {
  const starter = starters[kind]
  return typeof starter === 'function' ? starter() : starter
}
