import { memoDraft, seedMemoRefs } from './samples/memo.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { memoTable } from './support/tables/memo.table.js'

describeRepository({
  title: 'memos',
  table: memoTable,
  of: (repositories) => repositories.memos,
  seed: seedMemoRefs,
  draft: memoDraft,
})
