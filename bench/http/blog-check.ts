import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import { type BlogRows, type Comment, type Post, rareWord } from './blog-rows.ts'
import { listQueries, postsPath } from './blog-scenarios.ts'
import type { Server } from './server.ts'

/**
 * Throws unless every timed list and one post equal, value for value, the response that the seeded rows require. Apps are
 * comparable only if they do the same work.
 */
export async function mustServeBlog(server: Server, rows: BlogRows): Promise<void> {
  for (const { name, query } of listQueries) {
    const { status, body } = await get(server, `?${new URLSearchParams(query)}`)
    const label = `${server.key}, ${name}`
    strictEqual(status, 200, label)
    const list = body as ListAnswer
    deepStrictEqual({ ...list, posts: list.posts.map(sortTags) }, expectedList(rows, query), label)
  }
  await mustServeOne(server, rows)
  for (const query of ['?page=0', '?page_size=101', '?published=maybe', '?author_id=x', '/x']) {
    strictEqual((await get(server, query)).status, 400, `${server.key}: ${query}`)
  }
  strictEqual((await get(server, '/999999')).status, 404, `${server.key}: an absent post`)
}

/**
 * Checks a post with comments. A comment may have more fields than expected: additional fields slow
 * down only the app that sends them.
 */
async function mustServeOne(server: Server, rows: BlogRows): Promise<void> {
  const post = rows.posts[6]
  ok(post, 'there are posts')
  const { status, body } = await get(server, `/${post.id}`)
  strictEqual(status, 200, `${server.key}: one post`)
  const { comments, comments_total, ...rest } = body as WholePost
  const expected = rows.comments
    .filter(({ postId }) => postId === post.id)
    .map((comment) => commentAnswer(comment, rows))
  ok(expected.length > 1, 'the post has comments')
  deepStrictEqual(sortTags(rest), { ...postAnswer(post, rows), views: post.views + 1 })
  deepStrictEqual(
    comments.map((comment) => pick(comment, Object.keys(expected[0] ?? {}))),
    expected,
    `${server.key}: comments`,
  )
}

interface WholePost extends PostAnswer {
  comments: Record<string, unknown>[]
  comments_total?: number
}

// The checks assert the whole response; these types contain only the fields that the checks read.
interface ListAnswer {
  posts: PostAnswer[]
}
interface PostAnswer {
  tags: { id: number }[]
}

interface Query {
  readonly page?: string
  readonly tag?: string
  readonly published?: string
  readonly author_id?: string
  readonly search?: string
}

function expectedList(rows: BlogRows, query: Query) {
  const { page = '1', tag, published, author_id, search } = query
  const word = search === undefined ? undefined : new RegExp(rareWord, 'i')
  const matches = rows.posts.filter(
    (post) =>
      (tag === undefined || post.tagIds.some((id) => rows.tags[id - 1]?.slug === tag)) &&
      (published === undefined || post.published === (published === 'true')) &&
      (author_id === undefined || post.authorId === Number(author_id)) &&
      (word === undefined || word.test(post.title) || word.test(post.content)),
  )
  ok(matches.length > 20, 'the rows fill a page of every list')
  const from = (Number(page) - 1) * 20
  return {
    // Later posts have higher ids, and ids break ties, so the reverse order is newest first.
    posts: matches
      .toReversed()
      .slice(from, from + 20)
      .map((post) => postAnswer(post, rows)),
    total: matches.length,
    page: Number(page),
    page_size: 20,
  }
}

function postAnswer(post: Post, { users, tags }: BlogRows) {
  const { id, title, content, authorId, published, views, at, tagIds } = post
  return {
    id,
    title,
    content,
    author_id: authorId,
    published,
    views,
    created_at: at,
    updated_at: at,
    author: { id: authorId, name: users[authorId - 1]?.name },
    tags: tagIds.map((tagId) => {
      const tag = tags[tagId - 1]
      return {
        id: tagId,
        name: tag?.name,
        slug: tag?.slug,
        created_at: tag?.at,
        updated_at: tag?.at,
      }
    }),
  }
}

function commentAnswer({ id, postId, authorId, content, at }: Comment, { users }: BlogRows) {
  return {
    id,
    post_id: postId,
    author_id: authorId,
    content,
    created_at: at,
    updated_at: at,
    author: { id: authorId, name: users[authorId - 1]?.name },
  }
}

/** Sorts the tags of a post: the API does not define their order. */
function sortTags<T extends PostAnswer>(post: T): T {
  return { ...post, tags: post.tags.toSorted((a, b) => a.id - b.id) }
}

function pick(from: Record<string, unknown>, keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, from[key]]))
}

async function get({ port }: Server, rest: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${port}${postsPath}${rest}`)
  return { status: answer.status, body: await answer.json() }
}
