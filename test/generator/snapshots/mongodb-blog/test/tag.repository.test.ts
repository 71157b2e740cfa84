import { tagDraft } from './samples/tag.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { tagTable } from './support/tables/tag.table.js'

describeRepository({
  title: 'tags',
  table: tagTable,
  of: (repositories) => repositories.tags,
  draft: tagDraft,
})
