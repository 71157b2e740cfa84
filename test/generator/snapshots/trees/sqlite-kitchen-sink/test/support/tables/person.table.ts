import type { Person, PersonDraft, PersonFilter } from '../../../src/domain/person.js'
import type { TableOf } from '../memory-tables.js'

/** Describes people for the in-memory store. */
export const personTable: TableOf<Person, PersonDraft, PersonFilter> = {
  name: 'people',
  unique: ['email', 'token'],
  ranges: ['born', 'joined', 'seen', 'locked', 'since', 'order'],
  sorts: ['email', 'token'],
}
