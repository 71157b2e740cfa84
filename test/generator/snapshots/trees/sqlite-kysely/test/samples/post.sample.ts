import type { PostApi } from '../../client/post.api.js'
import type { Repositories } from '../../src/container.js'
import type { Post } from '../../src/domain/post.js'
import { createPostBody } from '../../src/handlers/post.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedUser } from '../support/seed-user.js'
import { seedTag } from './tag.sample.js'

export type PostRefs = Awaited<ReturnType<typeof seedPostRefs>>

/** Creates the records that samples refer to. */
export async function seedPostRefs(repositories: Repositories) {
  return {
    user: await seedUser(repositories),
    tag: await seedTag(repositories),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function postSample(n: number, refs: PostRefs): PostApi['create'] {
  return {
    title: `title ${n}`,
    content: `content ${n}`,
    price: (n / 100).toFixed(2),
    day: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
    notes: { n },
    published: n % 2 === 0,
    tags: [refs.tag.slug],
  }
}

/** Returns a sample as a draft for the repository. */
export function postDraft(n: number, refs: PostRefs) {
  const draft = camelKeys(createPostBody.parse(postSample(n, refs)))
  return { ...draft, authorId: refs.user.id }
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedPost(repositories: Repositories): Promise<Post> {
  const refs = await seedPostRefs(repositories)
  const createdAt = new Date()
  return repositories.posts.create({
    ...postDraft(++lastSeed, refs),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badPostFields = {
  title: 1,
  content: 1,
  price: 'no such value',
  day: 'no such value',
  published: 'neither',
  tags: 'neither',
}
