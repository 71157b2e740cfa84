import type { Person } from '../../../src/domain/person.js'
import type { TableOf } from '../memory-tables.js'

/** How people are kept in memory. */
export const personTable: TableOf<Person> = {
  name: 'people',
  unique: ['email', 'token'],
}
