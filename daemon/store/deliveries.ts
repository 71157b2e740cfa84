import type { DeliveryStore } from '../ports.ts'
import type { Access } from './access.ts'

export function createDeliveryStore({ write }: Access): DeliveryStore {
  return {
    remember: (host, id, at) =>
      write(async (db) => {
        const query = db.insertInto('deliveries').values({ host, id, seen_at: at })
        const rows = await query
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .execute()
        return rows.length > 0
      }),

    forgetBefore: (time) =>
      write(async (db) => {
        await db.deleteFrom('deliveries').where('seen_at', '<', time).execute()
      }),
  }
}
