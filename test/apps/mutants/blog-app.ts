import type { SourceMutant } from '../../support/apps/mutant-copy.ts'
import { blogAuthEdits } from './blog-auth.ts'
import { blogCommentAndTagEdits } from './blog-comments-and-tags.ts'
import { blogListAndFileEdits } from './blog-lists-and-files.ts'
import { blogPostEdits } from './blog-posts.ts'
import { mutantsOf } from './edits.ts'

/**
 * Broken versions of `examples/blog-app`: the named check must fail on each. Code that the blog
 * shares with `examples/user-app` is broken in the mutants of that app.
 */
export const blogAppMutants: readonly SourceMutant[] = [
  blogAuthEdits,
  blogPostEdits,
  blogCommentAndTagEdits,
  blogListAndFileEdits,
].flatMap(mutantsOf)

/** One mutant for each file, because `npm test` has no time for all. */
export const quickBlogAppMutants: readonly SourceMutant[] = [
  ...new Map(blogAppMutants.toReversed().map((mutant) => [mutant.file, mutant])).values(),
]
