import type { Label, LabelDraft, LabelFilter } from '../../../src/domain/label.js'
import type { TableOf } from '../memory-tables.js'

/** Describes labels for the in-memory store. */
export const labelTable: TableOf<Label, LabelDraft, LabelFilter> = {
  name: 'labels',
  filters: ['hue'],
}
