import type { Person } from '../../../src/domain/person.js'
import type { TableOf } from '../memory-tables.js'

/** Describes people for the in-memory store. */
export const personTable: TableOf<Person> = {
  name: 'people',
  unique: ['email', 'token'],
}
