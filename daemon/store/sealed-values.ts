import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Sealed } from '../domain/records.ts'
import type { SealedValues } from '../ports.ts'
import type { Access } from './access.ts'
import { encryptedColumns } from './encrypted-columns.ts'

/** A hook that every table applies to sealed values before writing. */
export interface WriteHook {
  reseal(value: Sealed): Sealed
  onWrite(reseal: (value: Sealed) => Sealed): void
}

export function createWriteHook(): WriteHook {
  let reseal = (value: Sealed) => value
  return {
    reseal: (value) => reseal(value),
    onWrite(next) {
      reseal = next
    },
  }
}

/** Number of values to re-encrypt before other work on the event loop may run. */
const batchSize = 200

export function createSealedValues(
  { db, write }: Access,
  { onWrite }: Pick<WriteHook, 'onWrite'>,
): SealedValues {
  return {
    onWrite,

    async keyId() {
      const query = db.selectFrom('meta').select('value').where('key', '=', 'key_id')
      return (await query.executeTakeFirst())?.value
    },

    recordKeyId: (keyId) =>
      write(async (db) => {
        await db
          .insertInto('meta')
          .values({ key: 'key_id', value: keyId })
          .onConflict((known) => known.column('key').doUpdateSet({ value: keyId }))
          .execute()
      }),

    async count() {
      let count = 0
      for (const { table, column } of encryptedColumns) {
        const query = sql<{ count: number }>`
          select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} is not null`
        count += (await query.execute(db)).rows[0]?.count ?? 0
      }
      return count
    },

    replace: (reseal) =>
      write(async (db) => {
        let count = 0
        for (const { table, column } of encryptedColumns) {
          const { rows } = await sql<{ id: number; value: Sealed }>`
            select id, ${sql.ref(column)} as value from ${sql.table(table)}
            where ${sql.ref(column)} is not null`.execute(db)
          for (const { id, value } of rows) {
            await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${reseal(value)}
              where id = ${id}`.execute(db)
            count += 1
            if (count % batchSize === 0) await yieldToEventLoop()
          }
        }
        return count
      }),
  }
}
