import type { Is, Json } from './exchange.ts'

const text = { type: 'string' }
const filled = { type: 'string', minLength: 1 }
const bool = { type: 'boolean' }
const id = { type: 'integer', minimum: 1 }
const count = { type: 'integer', minimum: 0 }
const paging = { total: count, page: id, page_size: id, next_cursor: { type: ['string', 'null'] } }
const stamps = { created_at: text, updated_at: text }

/** The schemas of the reference blog's OpenAPI document. */
export function schemas(is: Is): Json {
  const password = { type: 'string', minLength: is('openapi-loose-register') ? 0 : 8 }
  const author = object({ id, name: text })
  const tag = object({ id, name: text, slug: text, ...stamps })
  const remark = object({ id, post_id: id, author_id: id, content: text, author, ...stamps })
  const row = {
    ...{ id, title: text, content: text, published: bool, views: count },
    ...{ author_id: id, author, tags: arrayOf(tag), ...stamps },
  }
  const slugs = arrayOf({ anyOf: [text, { type: 'object', required: ['slug'] }] })
  const post = { title: filled, content: text, published: bool, tags: slugs }
  const comment = { post_id: id, content: filled }
  const user = object({ id, name: text, email: text })
  return {
    Problem: { type: 'object', required: ['error'], properties: { error: text } },
    RegisterInput: object({ name: { type: 'string', minLength: 2 }, email: text, password }),
    LoginInput: object({ email: text, password: text }),
    AuthResponse: object({ token: text, user }),
    Me: object({
      id,
      name: text,
      email: text,
      role: { enum: ['user', 'admin'] },
      created_at: text,
    }),
    PasswordInput: object({ current: filled, next: { type: 'string', minLength: 8 } }),
    DeleteMeInput: object({ password: filled }),
    Post: object(row),
    PostDetails: object({ ...row, comments: arrayOf(remark), comments_total: count }),
    PostPage: object({ posts: arrayOf(object(row)), ...paging }),
    PostInput: { ...object(post), required: ['title'] },
    PostChanges: changes(post),
    Comment: remark,
    CommentPage: object({ comments: arrayOf(remark), ...paging }),
    CommentInput: object(comment),
    CommentChanges: changes(comment),
    Tag: tag,
    TagPage: object({ tags: arrayOf(tag), ...paging }),
    TagInput: { ...object({ name: text, slug: filled }), required: ['name'] },
    TagChanges: changes({ name: text, slug: filled }),
  }
}

function object(properties: Json): Json {
  return { type: 'object', required: Object.keys(properties), properties }
}

function changes(properties: Json): Json {
  return { type: 'object', minProperties: 1, properties }
}

function arrayOf(items: Json): Json {
  return { type: 'array', items }
}
