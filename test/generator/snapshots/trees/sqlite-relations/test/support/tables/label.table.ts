import type { Label } from '../../../src/domain/label.js'
import type { TableOf } from '../memory-tables.js'

/** How labels are kept in memory. */
export const labelTable: TableOf<Label> = {
  name: 'labels',
}
