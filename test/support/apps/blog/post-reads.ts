import { roundTrip } from '../round-trip.ts'
import { callerOf } from './auth.ts'
import { presentComment } from './comments.ts'
import { type Exchange, type Json, Refusal, sendJson } from './exchange.ts'
import { found, newestFirst, sendPage } from './pages.ts'
import { etagOf } from './post-etag.ts'
import { matchesQuery, postQueryRules } from './post-filters.ts'
import { tagsOf } from './post-tags.ts'
import type { PostRow } from './tables.ts'

export function listPosts(exchange: Exchange): void {
  const { tables, is } = exchange
  if (is('posts-closed')) callerOf(exchange)
  if (is('unknown-tag-404')) {
    const slug = exchange.query.get('tag')
    const isKnown = slug === null || tables.tags.all().some((tag) => tag.slug === slug)
    if (!isKnown) throw new Refusal(404, 'tag not found')
  }
  sendPage(exchange, {
    plural: 'posts',
    rules: postQueryRules(is),
    sortable: ['title', 'author_id'],
    rows: () => tables.posts.all().filter((post) => matchesQuery(exchange, post)),
    present: (post) => {
      if (is('list-counts')) tables.posts.change(post.id, { views: post.views + 1 }, false)
      const row = presentPost(exchange, post)
      return is('list-without-tags') ? { ...row, tags: [] } : row
    },
    presentPaging: ({ page, page_size }) =>
      is('page-as-text') ? { page: `${page}`, page_size: `${page_size}` } : { page, page_size },
    total: (kept) => (is('total-unfiltered') ? tables.posts.all().length : kept.length),
  })
}

export async function readPost(exchange: Exchange, id: number): Promise<void> {
  const { tables, is } = exchange
  if (is('posts-closed')) callerOf(exchange)
  const before = found(tables.posts.find(id), 'post')
  if (is('views-race')) await roundTrip()
  const now = is('views-race') ? before : found(tables.posts.find(id), 'post')
  const counted = is('views-shared') ? tables.posts.all() : [now]
  for (const { id: each, views } of counted) {
    tables.posts.change(each, { views: views + 1 }, is('views-touch'))
  }
  const shown = is('views-after') ? now : found(tables.posts.find(id), 'post')
  const remarks = [...tables.comments.all()].filter(
    (comment) => comment.post_id === id || is('comments-of-all'),
  )
  const sorted = remarks.sort((one, two) => newestFirst(two, one))
  const newest = is('comments-oldest-fifty') ? sorted.slice(0, 50) : sorted.slice(-50)
  const inOrder = is('comments-newest-first') ? newest.toReversed() : newest
  const comments = inOrder.map((comment) => ({
    ...presentComment(exchange, comment),
    ...(is('comments-with-post') ? { post: { id, title: shown.title } } : {}),
  }))
  const comments_total = is('comments-total-shown') ? comments.length : sorted.length
  const post = presentPost(exchange, shown)
  const etag = etagOf(exchange, post, comments)
  exchange.res.setHeader('ETag', etag)
  const isKnown = exchange.req.headers['if-none-match'] === etag && !is('never-304')
  if (isKnown) exchange.res.writeHead(304).end()
  else sendJson(exchange, 200, { ...post, comments, comments_total })
}

/** Converts a post to its form in responses. */
export function presentPost(exchange: Exchange, post: PostRow): Json {
  const { tables, is } = exchange
  const { tag_ids, ...row } = post
  const author = tables.users.find(post.author_id)
  const { id, name, email } = author ?? { id: 0, name: '', email: '' }
  const content = is('content-64-kb') ? post.content.slice(0, 65_535) : post.content
  return {
    ...row,
    content: is('content-null') && content === '' ? null : content,
    author: { id, name, ...(is('author-with-email') ? { email } : {}) },
    tags: tagsOf(exchange, tag_ids),
  }
}
