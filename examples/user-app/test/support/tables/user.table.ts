import type { User } from '../../../src/domain/user.js'
import type { TableOf } from '../memory-tables.js'

/** How users are kept in memory. */
export const userTable: TableOf<User> = {
  name: 'users',
}
