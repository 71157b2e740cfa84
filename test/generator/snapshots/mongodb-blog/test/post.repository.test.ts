import { postDraft, seedPostRefs } from './samples/post.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { postTable } from './support/tables/post.table.js'

describeRepository({
  title: 'posts',
  table: postTable,
  of: (repositories) => repositories.posts,
  seed: seedPostRefs,
  draft: postDraft,
})
