import { countRecords } from '../../../../generator/inspect/count-records.ts'
import { openDynamodb } from './dynamodb.ts'
import { openElasticsearch } from './elasticsearch.ts'
import type { Inspection, InspectionReply } from './messages.ts'
import { openMongodb } from './mongodb.ts'
import { openMysql } from './mysql.ts'
import type { OpenedStore } from './opened-store.ts'
import { openPostgres, openPostgresJson } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { openSqlserver } from './sqlserver.ts'

/**
 * The process that reads a store with the drivers of a project. It runs in the project's folder, under tsx, answers one
 * message over Node's channel, and writes nothing.
 */
process.once('message', (inspection: Inspection) => {
  inspect(inspection)
    .catch((error: unknown): InspectionReply => ({ kind: 'failed', reason: textOf(error) }))
    .then((reply) => process.send?.(reply, () => process.exit(0)))
})
// The process that started this one has ended, or was killed.
process.on('disconnect', () => process.exit(1))

async function inspect(inspection: Inspection): Promise<InspectionReply> {
  const end = performance.now() + inspection.limitMs
  const store = await openers[inspection.kind](inspection)
  const waiting = await store.waiting()
  if (waiting === 'all') return { kind: 'empty' }
  if (waiting.length > 0) return { kind: 'waiting', names: [...waiting] }
  const answers = await countRecords(store, inspection.questions, () => performance.now() > end)
  return { kind: 'answers', answers: [...answers] }
}

const openers: Record<Inspection['kind'], (inspection: Inspection) => Promise<OpenedStore>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
  'postgres-json': openPostgresJson,
  mysql: openMysql,
  sqlserver: openSqlserver,
  mongodb: openMongodb,
  elasticsearch: openElasticsearch,
  dynamodb: openDynamodb,
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const several = error instanceof AggregateError ? error.errors : []
  const [first] = several as unknown[]
  return error.message || (first instanceof Error ? first.message : error.name)
}
