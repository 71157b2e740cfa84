import type { Repositories } from '../../src/container.js'
import type { Post } from '../../src/domain/post.js'
import { createPostBody, type PostApi } from '../../src/handlers/post.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedUser } from '../support/seed-user.js'
import { seedTag } from './tag.sample.js'

export type PostRefs = Awaited<ReturnType<typeof seedPostRefs>>

/** The records that samples refer to. */
export async function seedPostRefs(repositories: Repositories) {
  return {
    user: await seedUser(repositories),
    tag: await seedTag(repositories),
  }
}

/** A body that creates one; no two numbers share a value of a unique field. */
export function postSample(n: number, refs: PostRefs): PostApi['create'] {
  return {
    title: `title ${n}`,
    content: `content ${n}`,
    published: n % 2 === 0,
    tags: [refs.tag.slug],
  }
}

/** The same as the store takes it. */
export function postDraft(n: number, refs: PostRefs) {
  const draft = camelKeys(createPostBody.parse(postSample(n, refs)))
  return { ...draft, authorId: refs.user.id }
}

/** Other tests count from 1. */
let seeded = 60

/** A record for others to refer to. */
export async function seedPost(repositories: Repositories): Promise<Post> {
  const refs = await seedPostRefs(repositories)
  const createdAt = new Date()
  return repositories.posts.create({
    ...postDraft(++seeded, refs),
    createdAt,
    updatedAt: createdAt,
  })
}

/** For each field a value that is refused. */
export const badPostFields = {
  title: 1,
  content: 1,
  published: 'neither',
  tags: 'neither',
}
