import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { startDynamodb } from './dynamodb.ts'
import { startElasticsearch } from './elasticsearch.ts'
import { startMongodb } from './mongodb.ts'
import { startMysql } from './mysql.ts'
import { startPostgres, startPostgresJson } from './postgres.ts'
import { startSqlserver } from './sqlserver.ts'
import type { StartServer } from './test-server.ts'

/** The function that starts the server of each store kind. SQLite has none. */
export const servers: Readonly<Record<Exclude<StoreKind, 'sqlite'>, StartServer>> = {
  postgres: startPostgres,
  'postgres-json': startPostgresJson,
  mysql: startMysql,
  sqlserver: startSqlserver,
  mongodb: startMongodb,
  elasticsearch: startElasticsearch,
  dynamodb: startDynamodb,
}
