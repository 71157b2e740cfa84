import type { Tag } from '../../../src/domain/tag.js'
import type { TableOf } from '../memory-tables.js'

/** How tags are kept in memory. */
export const tagTable: TableOf<Tag> = {
  name: 'tags',
  unique: ['slug'],
}
