import type { User } from '../domain/user.js'
import type { Store } from '../infra/store.js'
import { toDocument } from './document-fields.js'
import { createRepository } from './document-repository.js'
import { collectionOf } from './document-schema.js'
import { createDocumentStore } from './mongodb.js'
import type { Stored } from './repository.js'
import type { UserRepository } from './user.repository.js'

type Fields = Omit<User, keyof Stored>

export function createUserRepository(store: Store): UserRepository {
  const documents = createDocumentStore(store)
  const users = createRepository<User, Fields, unknown, User>(store, 'users')
  return {
    find: users.find,
    create: users.create,
    remove: users.remove,

    async findByEmail(email) {
      const [found] = await documents.readBy('users', 'email', [email], { names: [] })
      return found && users.find(found.id)
    },

    async updateIfUnchanged({ id, tokenVersion, revokedTokens }, changes) {
      const users = collectionOf('users')
      const expected = toDocument(users, { tokenVersion, revokedTokens })
      const changed = await documents.update('users', id, toDocument(users, changes), expected)
      return changed !== undefined
    },
  }
}
