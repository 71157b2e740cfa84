import type { AppUnderTest } from '../check.ts'
import { create, type Stored } from '../resource.ts'
import { type Caller, register, unique } from './caller.ts'
import { posts, tags } from './resources.ts'

/** A query of the list of posts, with the predicate of the posts that it selects. */
export interface Query {
  readonly query: string
  readonly isMeant: (post: Stored) => boolean
}

/** Creates 24 posts of two authors, oldest first, and every combination of the four filters. */
export async function library(app: AppUnderTest) {
  const authors: readonly Caller[] = [await register(app), await register(app)]
  const [author, other] = authors
  const [tag, unused] = [await create((author ?? other)?.app ?? app, tags), unique()]
  const word = unique()
  const made: Stored[] = []
  for (let turn = 0; turn < 24; turn += 1) {
    const caller = authors[turn % 2]?.app ?? app
    const content = turn % 12 < 6 ? `before ${word.toUpperCase()} after` : `nothing ${unused}`
    const fields = { content, published: turn % 4 < 2, tags: turn % 3 === 0 ? [tag.slug] : [] }
    made.push(await create(caller, posts, fields))
  }
  const hasTag = ({ tags: has }: Stored) => Array.isArray(has) && has.length > 0
  const hasWord = ({ content }: Stored) => String(content).includes('before')
  const parts: readonly (readonly Query[])[] = [
    [true, false].map((is) => ({
      query: `published=${is}`,
      isMeant: ({ published }) => published === is,
    })),
    [{ query: `author_id=${author?.id}`, isMeant: (post) => post.author_id === author?.id }],
    [{ query: `tag=${tag.slug}`, isMeant: hasTag }],
    [{ query: `search=${word}`, isMeant: hasWord }],
  ]
  return { made, queries: combined(parts).filter(({ query }) => query !== '') }
}

/** Returns every combination of at most one query from each part. */
function combined([part, ...others]: readonly (readonly Query[])[]): readonly Query[] {
  if (part === undefined) return [{ query: '', isMeant: () => true }]
  const without = combined(others)
  const joined = part.flatMap((first) =>
    without.map(({ query, isMeant }) => ({
      query: query === '' ? first.query : `${first.query}&${query}`,
      isMeant: (post: Stored) => first.isMeant(post) && isMeant(post),
    })),
  )
  return [...without, ...joined]
}
