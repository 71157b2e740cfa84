import type { Tag } from '../../../src/domain/tag.js'
import type { TableOf } from '../memory-tables.js'

/** Describes tags for the in-memory store. */
export const tagTable: TableOf<Tag> = {
  name: 'tags',
  unique: ['slug'],
  sorts: ['slug'],
}
