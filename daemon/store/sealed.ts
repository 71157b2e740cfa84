import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Sealed } from '../domain/records.ts'
import type { SealedValues } from '../ports.ts'
import type { Access } from './access.ts'
import { sealedColumns } from './sealed-columns.ts'

/** The hook that values pass as they are written, shared by all tables, in transactions and outside. */
export interface Freshness {
  fresh(value: Sealed): Sealed
  onWrite(refresh: (value: Sealed) => Sealed): void
}

export function createFreshness(): Freshness {
  let refresh = (value: Sealed) => value
  return {
    fresh: (value) => refresh(value),
    onWrite(next) {
      refresh = next
    },
  }
}

/** Values sealed in one go, before others get a turn at the processor. */
const batch = 200

export function createSealedValues(
  { db, write }: Access,
  { onWrite }: Pick<Freshness, 'onWrite'>,
): SealedValues {
  return {
    onWrite,

    async keyId() {
      const query = db.selectFrom('meta').select('value').where('key', '=', 'key_id')
      return (await query.executeTakeFirst())?.value
    },

    bookKey: (keyId) =>
      write(async (db) => {
        await db
          .insertInto('meta')
          .values({ key: 'key_id', value: keyId })
          .onConflict((known) => known.column('key').doUpdateSet({ value: keyId }))
          .execute()
      }),

    async count() {
      let count = 0
      for (const { table, column } of sealedColumns) {
        const query = sql<{ count: number }>`
          select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} is not null`
        count += (await query.execute(db)).rows[0]?.count ?? 0
      }
      return count
    },

    replace: (reseal) =>
      write(async (db) => {
        let count = 0
        for (const { table, column } of sealedColumns) {
          const { rows } = await sql<{ id: number; value: Sealed }>`
            select id, ${sql.ref(column)} as value from ${sql.table(table)}
            where ${sql.ref(column)} is not null`.execute(db)
          for (const { id, value } of rows) {
            await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${reseal(value)}
              where id = ${id}`.execute(db)
            count += 1
            if (count % batch === 0) await breathe()
          }
        }
        return count
      }),
  }
}
