import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.js'
import { badPostFields, type PostRefs, postSample, seedPostRefs } from './samples/post.sample.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { testStores } from './support/stores.js'

describe.each(testStores)('posts over HTTP on $name', (store) => {
  let app: Awaited<ReturnType<typeof startApp>>
  let resource: ReturnType<typeof createClient>['posts']
  let refs: PostRefs

  const clientWith = (headers: Record<string, string>) =>
    createClient({ baseUrl: app.baseUrl, headers }).posts

  beforeAll(async () => {
    app = await startApp(store)
    resource = createClient({
      baseUrl: app.baseUrl,
      fetch: await createOpenApiFetch(app.baseUrl),
      headers: app.headers,
    }).posts
    refs = await seedPostRefs(app.repositories)
  })
  afterAll(() => app.stop())

  test('creates, reads, updates and deletes posts', async () => {
    const created = await resource.create(postSample(1, refs))
    expect(created).toMatchObject(withoutLists(postSample(1, refs)))
    expect(await resource.find(created.id)).toMatchObject({ ...created, views: 1 })
    expect(await resource.list()).toEqual({
      posts: [{ ...created, views: 1 }],
      total: 1,
      page: 1,
      page_size: 20,
      next_cursor: null,
    })

    const updated = await resource.update(created.id, postSample(2, refs))
    expect(updated).toMatchObject({
      id: created.id,
      ...withoutLists(postSample(2, refs)),
      created_at: created.created_at,
    })
    expect(await resource.find(created.id)).toMatchObject({ ...updated, views: 2 })

    expect(await resource.remove(created.id)).toBeUndefined()
    await expect(resource.find(created.id)).rejects.toMatchObject({ status: 404 })
    expect(await resource.list()).toMatchObject({ posts: [], total: 0 })
  })

  test('accepts an update whose body is the record as read', async () => {
    const created = await resource.create(postSample(3, refs))
    expect(await resource.update(created.id, created)).toMatchObject(
      withoutLists(postSample(3, refs)),
    )
  })

  test('names all invalid fields of a body at once', async () => {
    const body = { ...badPostFields, 'no-such-field': 1 } as never
    const refused = {
      status: 400,
      details: Object.keys(body).map((path) => expect.objectContaining({ path })),
    }
    await expect(resource.create(body)).rejects.toMatchObject(refused)
  })

  test('rejects a body that is not a JSON object, or is too large', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.baseUrl}/api/v1/posts`, {
        method: 'POST',
        body,
        headers: { ...app.headers, 'content-type': type },
      })
    expect((await post('{"', 'application/json')).status).toBe(400)
    expect((await post('[]', 'application/json')).status).toBe(400)
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await post(`"${'x'.repeat(2 ** 20)}"`, 'application/json')).status).toBe(413)
  })

  test('rejects malformed ids, pages out of range and unknown parameters', async () => {
    const status = async (path: string) =>
      (await fetch(`${app.baseUrl}/api/v1/posts${path}`)).status
    expect(await Promise.all(['/abc', '/0', '/-1', '/1.5'].map(status))).toEqual([
      400, 400, 400, 400,
    ])
    const queries = [
      '?page=0',
      '?page_size=101',
      '?page=1&page=2',
      '?no-field=1',
      '?sort=id,-id',
      '?cursor=x',
    ]
    expect(await Promise.all(queries.map(status))).toEqual([400, 400, 400, 400, 400, 400])
  })

  test('rejects an update without fields', async () => {
    const { id } = await resource.create(postSample(4, refs))
    await expect(resource.update(id, {})).rejects.toMatchObject({ status: 400 })
  })

  test('answers 304 and 412 by the ETag of a record', async () => {
    const { id } = await resource.create(postSample(95, refs))
    const read = (headers = {}) =>
      fetch(`${app.baseUrl}/api/v1/posts/${id}`, { headers: { ...headers } })
    const etag = (await read()).headers.get('etag') ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)

    const known = { headers: { 'if-match': etag } }
    await resource.update(id, postSample(96, refs), known)
    const changed = { status: 412, message: 'the record has changed' }
    await expect(resource.update(id, postSample(95, refs), known)).rejects.toMatchObject(changed)
    await expect(resource.remove(id, known)).rejects.toMatchObject(changed)
    expect((await read({ 'if-none-match': etag })).status).toBe(200)
    await resource.remove(id, { headers: { 'if-match': '*' } })
  })

  test('rejects requests without a token', async () => {
    const anonymous = createClient({ baseUrl: app.baseUrl }).posts
    const refused = { status: 401, message: 'Authorization header required' }
    await expect(anonymous.create(postSample(5, refs))).rejects.toMatchObject(refused)
    await expect(anonymous.update(1, {})).rejects.toMatchObject(refused)
    await expect(anonymous.remove(1)).rejects.toMatchObject(refused)
  })

  test('sorts a list and continues after a cursor', async () => {
    const first = await resource.create(postSample(8, refs))
    const second = await resource.create(postSample(9, refs))
    const page = await resource.list({ sort: '-id', page_size: 1 })
    expect(page.posts).toEqual([second])
    const cursor = page.next_cursor ?? ''
    expect(await resource.list({ cursor, page_size: 1 })).toMatchObject({ posts: [first] })
    await expect(resource.list({ cursor, sort: 'id' })).rejects.toMatchObject({ status: 400 })
    await expect(resource.list({ cursor, page: 1 })).rejects.toMatchObject({ status: 400 })
  })

  test('other users may not change posts, and admins may', async () => {
    const { id } = await resource.create(postSample(1, refs))
    const [stranger, admin] = [clientWith(app.strangerHeaders), clientWith(app.adminHeaders)]
    const changes = postSample(2, refs)
    await expect(stranger.update(id, changes)).rejects.toMatchObject({ status: 403 })
    await expect(stranger.remove(id)).rejects.toMatchObject({ status: 403 })
    expect(await admin.update(id, changes)).toMatchObject({ id })
    expect(await admin.remove(id)).toBeUndefined()
  })

  test('filters a list and rejects malformed filters', async () => {
    await resource.create(postSample(6, refs))
    const { total } = await resource.list()
    expect(await resource.list({ tag: refs.tag.slug })).toMatchObject({ total })
    expect(await resource.list({ search: 'no such text' })).toMatchObject({ total: 0 })
    const status = async (query: string) =>
      (await fetch(`${app.baseUrl}/api/v1/posts?${query}`)).status
    expect(await status('author_id=0')).toBe(400)
    expect(await status('published=yes')).toBe(400)
    expect(await status('views[gte]=x')).toBe(400)
    expect(await status('tag=1&tag=2')).toBe(400)
    expect(await status('search=a&search=b')).toBe(400)
    expect(total).toBeGreaterThan(0)
  })
})

/** Omits many-to-many fields: a body has keys in them, a reply has the related records. */
function withoutLists({ tags: _tags, ...body }: ReturnType<typeof postSample>) {
  return body
}
