import { commentDraft, seedCommentRefs } from './samples/comment.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { commentTable } from './support/tables/comment.table.js'

describeRepository({
  title: 'comments',
  table: commentTable,
  of: (repositories) => repositories.comments,
  seed: seedCommentRefs,
  draft: commentDraft,
})
