import type { User } from '../domain/user.js'
import type { Store } from '../infra/store.js'
import { createRepository } from './kysely.js'
import { guard } from './kysely-errors.js'
import { toRow } from './kysely-rows.js'
import type { Stored } from './repository.js'
import type { UserRepository } from './user.repository.js'

type Fields = Omit<User, keyof Stored>

export function createUserRepository(store: Store): UserRepository {
  const { db } = store
  const users = createRepository<User, Fields, unknown, User>(store, 'users')
  return {
    find: users.find,
    create: users.create,
    remove: users.remove,

    async findByEmail(email) {
      const query = db.selectFrom('users').select('id').where('email', '=', email)
      const found = await guard(query.executeTakeFirst())
      return found && users.find(Number(found.id))
    },

    async updateIfUnchanged({ id, tokenVersion, revokedTokens }, changes) {
      const query = db
        .updateTable('users')
        .set(toRow('users', changes))
        .where('id', '=', id)
        .where('token_version', '=', tokenVersion)
        .where('revoked_tokens', '=', revokedTokens)
      const { numUpdatedRows } = await guard(query.executeTakeFirst())
      return numUpdatedRows > 0n
    },
  }
}
