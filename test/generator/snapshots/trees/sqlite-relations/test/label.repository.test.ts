import { labelDraft } from './samples/label.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { labelTable } from './support/tables/label.table.js'

describeRepository({
  title: 'labels',
  table: labelTable,
  of: (repositories) => repositories.labels,
  draft: labelDraft,
})
