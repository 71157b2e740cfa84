import { among, toList } from '../infra/dialect.js'
import type { Db, Run } from '../infra/queries.js'
import type { Many } from '../infra/table.js'
import { type AppRecord, columnOf, findById, selection, tableOf, toRecord } from './kysely-rows.js'
import { maxParts } from './repository.js'

/** Creates functions that read records of any table with their relations. */
export function createReader(run: Run) {
  async function find(db: Db, name: string, id: number): Promise<AppRecord | undefined> {
    const record = await findById(run, db, name, id)
    const [linked] = await withLinks(db, name, record ? [record] : [])
    return linked
  }

  /** Finds a record with its newest parts and their numbers. */
  async function findDetails(db: Db, name: string, id: number): Promise<AppRecord | undefined> {
    const record = await find(db, name, id)
    const { children = [] } = tableOf(name)
    if (!record || children.length === 0) return record
    const lists = children.map(async ({ field, total, of, key }) => {
      const column = `${of}.${columnOf(of, key).name}`
      const { rows } = await run(db, `${of} by ${key}`, [id], ([id]) =>
        db
          .selectFrom(of)
          .select(selection(of))
          .where(column, '=', id)
          .orderBy(`${of}.created_at`, 'desc')
          .orderBy(`${of}.id`, 'desc')
          .limit(maxParts),
      )
      const oldestFirst = rows.map((row) => toRecord(of, row, key)).toReversed()
      const parts = await withLinks(db, of, oldestFirst)
      return {
        [field]: parts,
        [total]: rows.length < maxParts ? rows.length : await count(db, column, id),
      }
    })
    return Object.assign(record, ...(await Promise.all(lists)))
  }

  async function count(db: Db, column: string, id: number): Promise<number> {
    const [of = ''] = column.split('.')
    const { rows } = await run(db, `number of ${column}`, [id], ([id]) =>
      db
        .selectFrom(of)
        .select(({ fn }) => fn.countAll().as('total'))
        .where(column, '=', id),
    )
    return Number(rows[0]?.total)
  }

  /** Adds the linked records of many-to-many relations, with one query for each relation. */
  async function withLinks(db: Db, name: string, records: AppRecord[]): Promise<AppRecord[]> {
    if (records.length === 0) return records
    for (const many of tableOf(name).many ?? []) {
      const linked = await readLinked(
        db,
        many,
        records.map(({ id }) => id),
      )
      for (const record of records) record[many.field] = linked.get(record.id) ?? []
    }
    return records
  }

  async function readLinked(db: Db, { links, holder, target, to }: Many, ids: readonly number[]) {
    const { rows } = await run(db, `${to} of ${links}`, [toList(ids)], ([ids]) =>
      db
        .selectFrom(links)
        .innerJoin(to, `${to}.id`, `${links}.${target}`)
        .select(selection(to))
        .select(`${links}.${holder} as holder`)
        .where(among(`${links}.${holder}`, ids))
        .orderBy(`${to}.id`),
    )
    const records = await withLinks(
      db,
      to,
      rows.map((row) => toRecord(to, row)),
    )
    const byHolder = new Map<unknown, AppRecord[]>()
    rows.forEach(({ holder }, i) => {
      byHolder.set(holder, [...(byHolder.get(holder) ?? []), ...records.slice(i, i + 1)])
    })
    return byHolder
  }

  return { find, findDetails, withLinks }
}
