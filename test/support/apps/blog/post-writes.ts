import { roundTrip } from '../round-trip.ts'
import { callerOf } from './auth.ts'
import { type Exchange, type Json, Refusal, sendJson, sendNothing } from './exchange.ts'
import { assertOwn, found } from './pages.ts'
import { assertMatch, etagOf } from './post-etag.ts'
import { unchanged } from './post-filters.ts'
import { presentPost } from './post-reads.ts'
import { tagIdsOf } from './post-tags.ts'
import type { PostRow } from './tables.ts'
import { bool, idOf, list, readBody, type Shape, text, textOf } from './validation.ts'

export async function createPost(exchange: Exchange): Promise<void> {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const body = await readBody(exchange, shapeOf(exchange))
  const { title, content = '', published = false, tags = [], views = 0 } = body
  if (published === true && content === '' && !is('create-published-empty')) throw incomplete()
  const said = Number(body.author_id)
  const isUser = tables.users.find(said) !== undefined
  const post = tables.posts.insert({
    ...{ title: String(title), content: String(content), published: published === true },
    views: is('views-from-one') ? 1 : Number(views),
    author_id: is('author-from-body') && isUser ? said : caller.id,
    tag_ids: await tagIdsOf(exchange, tags),
  })
  unchanged.add(post)
  sendJson(exchange, 201, presentPost(exchange, post))
}

export async function updatePost(exchange: Exchange, last: string): Promise<void> {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const id = idOf(last)
  if (is('403-before-404') && tables.posts.find(id)?.author_id !== caller.id) {
    throw new Refusal(403, 'not yours')
  }
  const body = await readBody(exchange, shapeOf(exchange), true)
  const post = found(tables.posts.find(id), 'post')
  if (!is('anyone-updates-posts')) assertOwn(post, caller)
  const tag_ids = body.tags === undefined ? post.tag_ids : await tagIdsOf(exchange, body.tags)
  if (is('if-match-race') || is('updates-lose-views') || is('tag-sets-mixed')) await roundTrip()
  const now = found(tables.posts.find(id), 'post')
  assertMatch(exchange, presentPost(exchange, is('if-match-race') ? post : now))
  const next = { ...now, ...fieldsOf(body) }
  if (is('put-publishes') && body.published === undefined) next.published = true
  const looked = is('checks-what-was') ? now : next
  const wants = body.published === true || (now.published && body.published === undefined)
  const isAsked = wants && looked.content === ''
  const isFree =
    (is('put-published-empty') && body.published === true) ||
    (is('empties-published') && body.content === '')
  if (isAsked && !isFree) throw incomplete()
  const views = is('updates-lose-views') ? post.views : now.views + (is('put-counts') ? 1 : 0)
  const meanwhile = now.tag_ids.filter((each) => !post.tag_ids.includes(each))
  const others = is('tags-added') ? now.tag_ids : is('tag-sets-mixed') ? meanwhile : []
  const added = others.length > 0 ? [...new Set([...others, ...tag_ids])] : tag_ids
  const cleared = is('put-clears-tags') && body.tags === undefined ? [] : added
  const given = is('gives-away') && body.author_id ? { author_id: Number(body.author_id) } : {}
  const fields = { ...fieldsOf(body), published: next.published, views, tag_ids: cleared, ...given }
  const changed = presentPost(exchange, found(tables.posts.change(id, fields), 'post'))
  exchange.res.setHeader('ETag', etagOf(exchange, changed))
  sendJson(exchange, 200, changed)
}

export async function publishPost(exchange: Exchange, last: string): Promise<void> {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const id = is('publish-any-id') && !/^\d+$/.test(last) ? 0 : idOf(last)
  const post = found(tables.posts.find(id), 'post')
  if (!is('anyone-publishes')) assertOwn(post, caller)
  if (post.content === '' && !is('publish-incomplete')) {
    throw is('publish-400') ? new Refusal(400, 'cannot publish incomplete post') : incomplete()
  }
  if (is('publish-race') || is('publish-gone-500')) await roundTrip()
  if (is('publish-gone-500') && tables.posts.find(id) === undefined) throw new TypeError('no post')
  const row = is('publish-forgets') ? { ...post, published: true } : undefined
  const now = row ?? tables.posts.change(id, { published: true })
  sendJson(exchange, 200, presentPost(exchange, found(now, 'post')))
}

export async function removePost(exchange: Exchange, last: string): Promise<void> {
  const { tables, is } = exchange
  const caller = is('posts-delete-open') ? { id: 0, email: '' } : callerOf(exchange)
  const id = idOf(last)
  const post = found(tables.posts.find(id), 'post')
  if (!is('anyone-deletes-posts') && !is('posts-delete-open')) assertOwn(post, caller)
  assertMatch(exchange, presentPost(exchange, post))
  const remarks = is('comments-stay') ? [] : tables.comments.all()
  for (const { id: each, post_id } of remarks) if (post_id === id) tables.comments.remove(each)
  if (is('comment-race')) await roundTrip()
  tables.posts.remove(id)
  sendNothing(exchange)
}

function shapeOf({ is }: Exchange): Shape {
  const takesAuthor = is('author-from-body') || is('gives-away')
  const counted = ['views', 'comments', 'comments_total']
  const managed = ['id', 'created_at', 'updated_at', 'author', 'author_id', ...counted]
  const taken = [
    ...(is('views-from-body') ? ['views'] : []),
    ...(takesAuthor ? ['author_id'] : []),
    ...(is('read-back-refused') ? ['comments'] : []),
  ]
  return {
    rules: {
      title: textOf(is('empty-title-passes') ? 0 : 1),
      content: text,
      published: is('false-refused') ? (value) => (value ? bool(value) : 'is required') : bool,
      tags: list,
      ...(is('views-from-body') ? { views: () => undefined } : {}),
      ...(takesAuthor ? { author_id: () => undefined } : {}),
    },
    optional: ['content', 'published', 'tags', 'views', 'author_id'],
    managed: managed.filter((name) => !taken.includes(name)),
  }
}

function fieldsOf({ title, content, published }: Json): Partial<PostRow> {
  return {
    ...(title === undefined ? {} : { title: String(title) }),
    ...(content === undefined ? {} : { content: String(content) }),
    ...(published === undefined ? {} : { published: published === true }),
  }
}

function incomplete(): Refusal {
  return new Refusal(422, 'cannot publish incomplete post')
}
