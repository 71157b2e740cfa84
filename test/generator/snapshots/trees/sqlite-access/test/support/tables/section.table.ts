import type { Section, SectionDraft, SectionFilter } from '../../../src/domain/section.js'
import type { TableOf } from '../memory-tables.js'

/** Describes sections for the in-memory store. */
export const sectionTable: TableOf<Section, SectionDraft, SectionFilter> = {
  name: 'sections',
  owner: ['reportId', 'authorId'],
  references: [
    {
      key: 'reportId',
      as: 'report',
      label: 'title',
      table: 'reports',
      words: 'report',
      cascade: true,
    },
  ],
  filters: ['reportId'],
  sorts: ['reportId'],
}
