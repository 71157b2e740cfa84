import type { User } from '../../../src/domain/user.js'
import type { TableOf } from '../memory-tables.js'

/** Describes users for the in-memory store. */
export const userTable: TableOf<User> = {
  name: 'users',
}
