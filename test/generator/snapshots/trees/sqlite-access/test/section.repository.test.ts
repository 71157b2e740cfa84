import { sectionDraft, seedSectionRefs } from './samples/section.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { sectionTable } from './support/tables/section.table.js'

describeRepository({
  title: 'sections',
  table: sectionTable,
  of: (repositories) => repositories.sections,
  seed: seedSectionRefs,
  draft: sectionDraft,
})
