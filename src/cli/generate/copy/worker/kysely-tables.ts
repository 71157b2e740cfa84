import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import { fromCopied, toCopied } from './convert.ts'
import type { WorkerSettings } from './messages.ts'
import { importFrom } from './opened-store.ts'
import { foldOf, type Section, type Tables, type Values } from './tables.ts'

type AnyTables = Record<string, Record<string, unknown>>
type Db = Kysely<AnyTables>
type Query = SelectQueryBuilder<AnyTables, string, object>

/** The parts of the project's `src/infra/table.ts` that a copy uses. */
interface Column {
  readonly name: string
  readonly type?: string
}

interface TableSchema {
  readonly columns: Readonly<Record<string, Column>>
  readonly many?: readonly Links[]
}

/** The table of the links of a many-to-many relation, and its columns. */
interface Links {
  readonly field: string
  readonly links: string
  readonly holder: string
  readonly target: string
}

interface ProjectDialect {
  toStored(column: Column, value: unknown): unknown
  fromStored(column: Column, value: unknown): unknown
}

const managed: Readonly<Record<string, Column>> = {
  id: { name: 'id' },
  createdAt: { name: 'created_at', type: 'datetime' },
  updatedAt: { name: 'updated_at', type: 'datetime' },
}

/** SQLite allows 32,766 values in a statement. */
const maxValues = 30_000

/** Opens the store with the project's Kysely instance, and with the conversions of its dialect. */
export async function openKysely(settings: WorkerSettings): Promise<Tables> {
  const { root, databaseUrl } = settings
  const { openStore } = await importFrom<{
    openStore: (url: string) => Promise<{ db: Db; close: () => Promise<void> }>
  }>(root, 'src/infra/store.ts', ['openStore'])
  const { schema } = await importFrom<{ schema: Record<string, TableSchema> }>(
    root,
    'src/infra/schema.ts',
    ['schema'],
  )
  const { toStored, fromStored } = await importFrom<ProjectDialect>(root, 'src/infra/dialect.ts', [
    'toStored',
    'fromStored',
  ])
  const { CompiledQuery }: typeof import('kysely') = createRequire(join(root, 'package.json'))(
    'kysely',
  )
  const foldText = await foldOf(settings)
  const { db, close } = await openStore(databaseUrl)

  function tableOf(name: string): TableSchema {
    const table = schema[name]
    if (!table) throw new Error(`src/infra/schema.ts has no ${name}, which the copy needs`)
    return table
  }

  function columnsOf(name: string) {
    return Object.entries({ ...managed, ...tableOf(name).columns })
  }

  function toRow(collection: CopiedCollection, values: Values): Record<string, unknown> {
    const given = { id: values.id, ...fromCopied(collection, values) }
    const row = columnsOf(collection.name).flatMap(([property, column]) => {
      const value = given[property as keyof typeof given]
      return value === undefined ? [] : [[column.name, toStored(column, value)] as const]
    })
    const folded = collection.fields.flatMap(({ name, camel, folded }) =>
      folded && camel in given
        ? [[`${name}_search`, foldText(String(values[name] ?? ''))] as const]
        : [],
    )
    return Object.fromEntries([...row, ...folded])
  }

  async function linksOf(name: string, ids: readonly number[]) {
    if (ids.length === 0) return []
    const lists = (tableOf(name).many ?? []).map(async ({ field, links, holder, target }) => {
      const rows = await db
        .selectFrom(links)
        .select([`${holder} as holder`, `${target} as target`])
        .where(holder, 'in', ids)
        .execute()
      const byHolder = new Map<number, number[]>()
      for (const row of rows) {
        const linked = byHolder.get(Number(row.holder)) ?? []
        byHolder.set(Number(row.holder), [...linked, Number(row.target)])
      }
      return [field, byHolder] as const
    })
    return Promise.all(lists)
  }

  async function link(trx: Db, name: string, id: number, given: Values): Promise<void> {
    for (const { field, links, holder, target } of tableOf(name).many ?? []) {
      const ids = given[field]
      if (!Array.isArray(ids)) continue
      await trx.deleteFrom(links).where(holder, '=', id).execute()
      const rows = ids.map((each: number) => ({ [holder]: id, [target]: each }))
      if (rows.length > 0) await trx.insertInto(links).values(rows).execute()
    }
  }

  return {
    async find(collection, section) {
      const { name } = collection
      const columns = columnsOf(name)
      const rows = await sectionOf(db.selectFrom(name), section)
        .select((by) =>
          columns.map(([property, column]) =>
            // A driver may parse JSON, and lose digits.
            column.type === 'json'
              ? by.cast(by.ref(column.name), 'text').as(property)
              : by.ref(column.name).as(property),
          ),
        )
        .orderBy('id')
        .execute()
      const lists = await linksOf(
        name,
        rows.map(({ id }) => Number(id)),
      )
      return rows.map((row) => {
        const values = columns.map(([property, column]) => {
          const value = row[property]
          return [property, value === null ? null : fromStored(column, value)] as const
        })
        const linked = lists.map(([field, byHolder]) => {
          return [field, byHolder.get(Number(row.id)) ?? []] as const
        })
        return toCopied(collection, Object.fromEntries([...values, ...linked]))
      })
    },

    async nextId({ name }, after) {
      const query = sectionOf(db.selectFrom(name), { after, limit: 1 })
      const [row] = await query.select('id').orderBy('id').execute()
      return row && Number(row.id)
    },

    async insert(collection, records) {
      const rows = records.map((record) => toRow(collection, record))
      const atOnce = Math.max(1, Math.floor(maxValues / Object.keys(rows[0] ?? { id: 0 }).length))
      await db.transaction().execute(async (trx) => {
        for (let from = 0; from < rows.length; from += atOnce) {
          const some = rows.slice(from, from + atOnce)
          await trx.insertInto(collection.name).values(some).execute()
        }
      })
    },

    async update(collection, id, changes) {
      const { name } = collection
      await db.transaction().execute(async (trx) => {
        const row = toRow(collection, changes)
        if (Object.keys(row).length > 0)
          await trx.updateTable(name).set(row).where('id', '=', id).execute()
        await link(trx, name, id, fromCopied(collection, changes))
      })
    },

    async remove(collection, ids) {
      await db.deleteFrom(collection.name).where('id', 'in', ids).execute()
    },

    sql: {
      async query(sql, ...values) {
        const { rows } = await db.executeQuery<Record<string, unknown>>(
          CompiledQuery.raw(sql, values),
        )
        return rows
      },
      async execute(sql, ...values) {
        const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(sql, values))
        return Number(numAffectedRows ?? 0)
      },
    },
    close,
  }
}

/** Adds the condition of a section to a query of a table. */
function sectionOf(query: Query, section: Section): Query {
  if ('ids' in section) return query.where('id', 'in', section.ids)
  return query.where('id', '>', section.after).limit(section.limit)
}
