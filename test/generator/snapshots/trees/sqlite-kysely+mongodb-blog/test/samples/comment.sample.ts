import type { CommentApi } from '../../client/comment.api.js'
import type { Repositories } from '../../src/container.js'
import { createCommentBody } from '../../src/handlers/comment.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedUser } from '../support/seed-user.js'
import { seedPost } from './post.sample.js'

export type CommentRefs = Awaited<ReturnType<typeof seedCommentRefs>>

/** Creates the records that samples refer to. */
export async function seedCommentRefs(repositories: Repositories, count = 100) {
  return {
    post: await seedPost(repositories),
    user: await seedUser(repositories),
    posts: await Promise.all(Array.from({ length: count }, () => seedPost(repositories))),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function commentSample(n: number, refs: CommentRefs): CommentApi['create'] {
  return {
    post_id: refs.posts[n % refs.posts.length]?.id ?? 0,
    content: `content ${n}`,
  }
}

/** Returns a sample as a draft for the repository. */
export function commentDraft(n: number, refs: CommentRefs) {
  const draft = camelKeys(createCommentBody.parse(commentSample(n, refs)))
  return { ...draft, authorId: refs.user.id }
}

/** An invalid value for each field. */
export const badCommentFields = {
  post_id: 1.5,
  content: 1,
}
