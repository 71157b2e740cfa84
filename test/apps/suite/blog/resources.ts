import type { AppUnderTest } from '../check.ts'
import { create, type Preparation, type Resource } from '../resource.ts'
import { register, unique } from './caller.ts'

const stamps = ['created_at', 'updated_at'] as const

export const tags: Resource = {
  plural: 'tags',
  path: '/api/v1/tags',
  keys: ['id', 'name', 'slug', ...stamps],
  fields: [
    { name: 'name', kind: 'string' },
    { name: 'slug', kind: 'slug', optional: true },
  ],
  unique: ['slug'],
  body: () => tagBody(),
  prepare: async (app) => ({ headers: await headersOfNew(app), body: tagBody }),
}

export const posts: Resource = {
  plural: 'posts',
  path: '/api/v1/posts',
  keys: [
    ...['id', 'title', 'content', 'author_id', 'author', 'published', 'views', 'tags'],
    ...stamps,
  ],
  detailKeys: ['comments', 'comments_total'],
  counters: ['views'],
  fields: [
    { name: 'title', kind: 'string' },
    { name: 'content', kind: 'string', optional: true },
    { name: 'published', kind: 'bool', optional: true },
    { name: 'tags', kind: 'slugs', optional: true },
  ],
  body: (serial) => postBody(serial, []),
  prepare: async (app) => {
    const headers = await headersOfNew(app)
    const writer = { ...app, headers }
    const slugs: string[] = []
    for (let turn = 0; turn < 2; turn += 1) slugs.push(String((await create(writer, tags)).slug))
    const choices = [[], slugs, slugs.slice(1), slugs.slice(0, 1)]
    return { headers, body: (serial) => postBody(serial, choices[serial % 4] ?? []) }
  },
}

/** A comment may contain `author` and `post`; the contract requires only their ids. */
export const comments: Resource = {
  plural: 'comments',
  path: '/api/v1/comments',
  keys: ['id', 'post_id', 'author_id', 'content', ...stamps],
  optionalKeys: ['author', 'post'],
  fields: [
    { name: 'post_id', kind: 'reference' },
    { name: 'content', kind: 'string' },
  ],
  body: (serial) => ({ post_id: 0, content: `Remark ${serial}` }),
  prepare: async (app): Promise<Preparation> => {
    const headers = await headersOfNew(app)
    const writer = { ...app, headers }
    const ids = [(await create(writer, posts)).id, (await create(writer, posts)).id]
    const body = (serial: number) => ({
      post_id: ids[serial % 2],
      content: `Remark ${serial}`,
    })
    return { headers, body }
  },
}

async function headersOfNew(app: AppUnderTest): Promise<Readonly<Record<string, string>>> {
  return { ...(await register(app)).app.headers }
}

function tagBody() {
  const word = unique()
  return { name: `Tag ${word}`, slug: `tag-${word}` }
}

function postBody(serial: number, slugs: readonly string[]) {
  const published = serial % 3 === 0
  return { title: `Title ${serial}`, content: `Content ${serial}`, published, tags: slugs }
}
