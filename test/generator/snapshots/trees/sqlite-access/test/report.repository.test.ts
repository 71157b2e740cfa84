import { reportDraft, seedReportRefs } from './samples/report.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { reportTable } from './support/tables/report.table.js'

describeRepository({
  title: 'reports',
  table: reportTable,
  of: (repositories) => repositories.reports,
  seed: seedReportRefs,
  draft: reportDraft,
})
