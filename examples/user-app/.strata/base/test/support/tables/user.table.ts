import type { User, UserDraft, UserFilter } from '../../../src/domain/user.js'
import type { TableOf } from '../memory-tables.js'

/** Describes users for the in-memory store. */
export const userTable: TableOf<User, UserDraft, UserFilter> = {
  name: 'users',
  ranges: ['age'],
}
