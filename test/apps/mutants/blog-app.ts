import type { SourceMutant } from '../../support/apps/mutant-copy.ts'
import { blogAuthEdits } from './blog-auth.ts'
import { blogCommentAndTagEdits } from './blog-comments-and-tags.ts'
import { blogListAndFileEdits } from './blog-lists-and-files.ts'
import { blogPostEdits } from './blog-posts.ts'
import { mutantsOf } from './edits.ts'

/**
 * Broken versions of `examples/blog-app`: each must be noticed by the check it names. What the blog
 * has in common with `examples/user-app` is broken there.
 */
export const blogAppMutants: readonly SourceMutant[] = [
  blogAuthEdits,
  blogPostEdits,
  blogCommentAndTagEdits,
  blogListAndFileEdits,
].flatMap(mutantsOf)

/** One for each file: what `npm test` has the time for. */
export const quickBlogAppMutants: readonly SourceMutant[] = [
  ...new Map(blogAppMutants.toReversed().map((mutant) => [mutant.file, mutant])).values(),
]
