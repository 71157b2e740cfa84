import type { Sealed } from '../domain/records.ts'
import type { AcmeAccountStore } from '../ports.ts'
import type { Access } from './access.ts'

/** `reseal` converts values before each write. */
export function createAcmeAccountStore(
  { db, write }: Access,
  { reseal }: { reseal: (value: Sealed) => Sealed },
): AcmeAccountStore {
  return {
    async find(directory) {
      const query = db.selectFrom('acme_accounts').select('account_key')
      return (await query.where('directory', '=', directory).executeTakeFirst())?.account_key
    },

    set: (directory, key) =>
      write(async (db) => {
        const values = { account_key: reseal(key) }
        await db
          .insertInto('acme_accounts')
          .values({ directory, ...values })
          .onConflict((conflict) => conflict.column('directory').doUpdateSet(values))
          .execute()
      }),
  }
}
