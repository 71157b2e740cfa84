import { roundTrip } from '../round-trip.ts'
import { callerOf } from './auth.ts'
import { type Exchange, type Json, Refusal, sendJson, sendNothing, serve } from './exchange.ts'
import { assertOwn, found, sendPage } from './pages.ts'
import type { CommentRow } from './tables.ts'
import { idOf, isId, positive, readBody, type Shape, textOf } from './validation.ts'

export function serveComments(exchange: Exchange, last?: string): Promise<void> {
  if (last === undefined) {
    return serve(exchange, { GET: () => listComments(exchange), POST: () => create(exchange) })
  }
  return serve(exchange, {
    GET: () => read(exchange, last),
    PUT: () => update(exchange, last),
    DELETE: () => remove(exchange, last),
  })
}

/** Converts a comment to its form in responses. */
export function presentComment({ tables }: Exchange, comment: CommentRow): Json {
  const { id, name } = tables.users.find(comment.author_id) ?? { id: 0, name: '' }
  return { ...comment, author: { id, name } }
}

function shapeOf({ is }: Exchange): Shape {
  const managed = ['id', 'created_at', 'updated_at', 'author', 'author_id', 'post']
  const takesAuthor = is('comment-author-from-body') || is('comment-gives-away')
  return {
    rules: {
      post_id: positive,
      content: textOf(is('comment-empty') ? 0 : 1),
      ...(takesAuthor ? { author_id: () => undefined } : {}),
    },
    optional: ['author_id'],
    managed: managed.filter((name) => !(takesAuthor && name === 'author_id')),
  }
}

function listComments(exchange: Exchange): void {
  const { tables, query, is } = exchange
  if (!is('comments-read-open')) callerOf(exchange)
  if (is('comments-list-403')) throw new Refusal(403, 'for editors')
  const post = query.get('post_id')
  const wanted = is('post-id-parse-int') ? Number.parseInt(post ?? '', 10) : Number(post)
  sendPage(exchange, {
    plural: 'comments',
    rules: { post_id: is('post-id-parse-int') ? () => true : isId },
    rows: () =>
      tables.comments
        .all()
        .filter(({ post_id }) => post === null || post_id === wanted || is('post-id-ignored')),
    present: (comment) => presentComment(exchange, comment),
    total: (kept) => (is('comments-total-of-all') ? tables.comments.all().length : kept.length),
  })
}

function read(exchange: Exchange, last: string): void {
  callerOf(exchange)
  const comment = found(exchange.tables.comments.find(idOf(last)), 'comment')
  sendJson(exchange, 200, presentComment(exchange, comment))
}

async function create(exchange: Exchange): Promise<void> {
  const { tables, is } = exchange
  const caller = is('validates-before-401') ? { id: 0 } : callerOf(exchange)
  const { post_id, content, author_id } = await readBody(exchange, shapeOf(exchange))
  const { id: own } = caller.id === 0 ? callerOf(exchange) : caller
  if (!is('comment-orphan')) found(tables.posts.find(Number(post_id)), 'post')
  if (is('comment-race')) await roundTrip()
  const said = is('comment-author-from-body') && author_id ? Number(author_id) : own
  const fields = { post_id: Number(post_id), content: String(content), author_id: said }
  sendJson(exchange, 201, presentComment(exchange, tables.comments.insert(fields)))
}

async function update(exchange: Exchange, last: string): Promise<void> {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const id = idOf(last)
  if (is('comments-403-first') && tables.comments.find(id)?.author_id !== caller.id) {
    throw new Refusal(403, 'not yours')
  }
  const body = await readBody(exchange, shapeOf(exchange), true)
  const comment = found(tables.comments.find(id), 'comment')
  if (!is('anyone-updates-comments')) assertOwn(comment, caller)
  const { post_id, content, author_id } = body
  if (post_id !== undefined && !is('put-orphans')) found(tables.posts.find(Number(post_id)), 'post')
  const fields = {
    ...(post_id === undefined ? {} : { post_id: Number(post_id) }),
    ...(content === undefined ? {} : { content: String(content) }),
    ...(author_id === undefined ? {} : { author_id: Number(author_id) }),
  }
  if (is('comments-stale'))
    return sendJson(exchange, 200, presentComment(exchange, { ...comment, ...fields }))
  const changed = found(tables.comments.change(id, fields), 'comment')
  sendJson(exchange, 200, presentComment(exchange, changed))
}

function remove(exchange: Exchange, last: string): void {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const comment = found(tables.comments.find(idOf(last)), 'comment')
  const isPosts = tables.posts.find(comment.post_id)?.author_id === caller.id
  if (!(is('post-author-deletes') && isPosts)) assertOwn(comment, caller)
  tables.comments.remove(comment.id)
  sendNothing(exchange)
}
