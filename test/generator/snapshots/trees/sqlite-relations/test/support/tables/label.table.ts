import type { Label } from '../../../src/domain/label.js'
import type { TableOf } from '../memory-tables.js'

/** Describes labels for the in-memory store. */
export const labelTable: TableOf<Label> = {
  name: 'labels',
}
