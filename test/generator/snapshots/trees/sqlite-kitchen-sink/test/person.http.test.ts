import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.js'
import { badPersonFields, personSample } from './samples/person.sample.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { testStores } from './support/stores.js'

describe.each(testStores)('people over HTTP on $name', (store) => {
  let app: Awaited<ReturnType<typeof startApp>>
  let resource: ReturnType<typeof createClient>['people']

  beforeAll(async () => {
    app = await startApp(store)
    resource = createClient({
      baseUrl: app.baseUrl,
      fetch: await createOpenApiFetch(app.baseUrl),
    }).people
  })
  afterAll(() => app.stop())

  test('creates, reads, updates and deletes people', async () => {
    const created = await resource.create(personSample(1))
    expect(created).toMatchObject(personSample(1))
    expect(await resource.find(created.id)).toEqual(created)
    expect(await resource.list()).toEqual({
      people: [created],
      total: 1,
      page: 1,
      page_size: 20,
      next_cursor: null,
    })

    const updated = await resource.update(created.id, personSample(2))
    expect(updated).toMatchObject({
      id: created.id,
      ...personSample(2),
      created_at: created.created_at,
    })
    expect(await resource.find(created.id)).toEqual(updated)

    expect(await resource.remove(created.id)).toBeUndefined()
    await expect(resource.find(created.id)).rejects.toMatchObject({ status: 404 })
    expect(await resource.list()).toMatchObject({ people: [], total: 0 })
  })

  test('accepts an update whose body is the record as read', async () => {
    const created = await resource.create(personSample(3))
    expect(await resource.update(created.id, created)).toMatchObject(personSample(3))
  })

  test('names all invalid fields of a body at once', async () => {
    const body = { ...badPersonFields, 'no-such-field': 1 } as never
    const refused = {
      status: 400,
      details: Object.keys(body).map((path) => expect.objectContaining({ path })),
    }
    await expect(resource.create(body)).rejects.toMatchObject(refused)
  })

  test('rejects a body that is not a JSON object, or is too large', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.baseUrl}/api/v1/people`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
    expect((await post('{"', 'application/json')).status).toBe(400)
    expect((await post('[]', 'application/json')).status).toBe(400)
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await post(`"${'x'.repeat(2 ** 20)}"`, 'application/json')).status).toBe(413)
  })

  test('rejects malformed ids, pages out of range and unknown parameters', async () => {
    const status = async (path: string) =>
      (await fetch(`${app.baseUrl}/api/v1/people${path}`)).status
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
    const { id } = await resource.create(personSample(4))
    await expect(resource.update(id, {})).rejects.toMatchObject({ status: 400 })
  })

  test('answers 304 and 412 by the ETag of a record', async () => {
    const { id } = await resource.create(personSample(95))
    const read = (headers = {}) =>
      fetch(`${app.baseUrl}/api/v1/people/${id}`, { headers: { ...headers } })
    const etag = (await read()).headers.get('etag') ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)

    const known = { headers: { 'if-match': etag } }
    await resource.update(id, personSample(96), known)
    const changed = { status: 412, message: 'the record has changed' }
    await expect(resource.update(id, personSample(95), known)).rejects.toMatchObject(changed)
    await expect(resource.remove(id, known)).rejects.toMatchObject(changed)
    expect((await read({ 'if-none-match': etag })).status).toBe(200)
    await resource.remove(id, { headers: { 'if-match': '*' } })
  })

  test('sorts a list and continues after a cursor', async () => {
    const first = await resource.create(personSample(8))
    const second = await resource.create(personSample(9))
    const page = await resource.list({ sort: '-id', page_size: 1 })
    expect(page.people).toEqual([second])
    const cursor = page.next_cursor ?? ''
    expect(await resource.list({ cursor, page_size: 1 })).toMatchObject({ people: [first] })
    await expect(resource.list({ cursor, sort: 'id' })).rejects.toMatchObject({ status: 400 })
    await expect(resource.list({ cursor, page: 1 })).rejects.toMatchObject({ status: 400 })
  })

  test('e-mail addresses are unique regardless of case', async () => {
    const taken = await resource.create(personSample(97))
    const other = personSample(98)
    await expect(
      resource.create({ ...other, email: String(taken.email).toUpperCase() }),
    ).rejects.toMatchObject({ status: 409 })
  })

  test('filters a list and rejects malformed filters', async () => {
    await resource.create(personSample(6))
    const { total } = await resource.list()
    const status = async (query: string) =>
      (await fetch(`${app.baseUrl}/api/v1/people?${query}`)).status
    expect(await status('born[gte]=x')).toBe(400)
    expect(await status('joined[gte]=x')).toBe(400)
    expect(await status('seen[gte]=x')).toBe(400)
    expect(await status('locked[gte]=x')).toBe(400)
    expect(await status('since[gte]=x')).toBe(400)
    expect(await status('order[gte]=x')).toBe(400)
    expect(total).toBeGreaterThan(0)
  })
})
