import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.js'
import {
  badProductFields,
  type ProductRefs,
  productSample,
  seedProductRefs,
} from './samples/product.sample.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { testStores } from './support/stores.js'

describe.each(testStores)('products over HTTP on $name', (store) => {
  let app: Awaited<ReturnType<typeof startApp>>
  let resource: ReturnType<typeof createClient>['products']
  let refs: ProductRefs

  beforeAll(async () => {
    app = await startApp(store)
    resource = createClient({
      baseUrl: app.baseUrl,
      fetch: await createOpenApiFetch(app.baseUrl),
    }).products
    refs = await seedProductRefs(app.repositories)
  })
  afterAll(() => app.stop())

  test('creates, reads, updates and deletes products', async () => {
    const created = await resource.create(productSample(1, refs))
    expect(created).toMatchObject(withoutLists(productSample(1, refs)))
    expect(await resource.find(created.id)).toMatchObject(created)
    expect(await resource.list()).toEqual({
      products: [created],
      total: 1,
      page: 1,
      page_size: 20,
      next_cursor: null,
    })

    const updated = await resource.update(created.id, productSample(2, refs))
    expect(updated).toMatchObject({
      id: created.id,
      ...withoutLists(productSample(2, refs)),
      created_at: created.created_at,
    })
    expect(await resource.find(created.id)).toMatchObject(updated)

    expect(await resource.remove(created.id)).toBeUndefined()
    await expect(resource.find(created.id)).rejects.toMatchObject({ status: 404 })
    expect(await resource.list()).toMatchObject({ products: [], total: 0 })
  })

  test('accepts an update whose body is the record as read', async () => {
    const created = await resource.create(productSample(3, refs))
    expect(await resource.update(created.id, created)).toMatchObject(
      withoutLists(productSample(3, refs)),
    )
  })

  test('names all invalid fields of a body at once', async () => {
    const body = { ...badProductFields, 'no-such-field': 1 } as never
    const refused = {
      status: 400,
      details: Object.keys(body).map((path) => expect.objectContaining({ path })),
    }
    await expect(resource.create(body)).rejects.toMatchObject(refused)
  })

  test('rejects a body that is not a JSON object, or is too large', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.baseUrl}/api/v1/products`, {
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
      (await fetch(`${app.baseUrl}/api/v1/products${path}`)).status
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
    const { id } = await resource.create(productSample(4, refs))
    await expect(resource.update(id, {})).rejects.toMatchObject({ status: 400 })
  })

  test('answers 304 and 412 by the ETag of a record', async () => {
    const { id } = await resource.create(productSample(95, refs))
    const read = (headers = {}) =>
      fetch(`${app.baseUrl}/api/v1/products/${id}`, { headers: { ...headers } })
    const etag = (await read()).headers.get('etag') ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)

    const known = { headers: { 'if-match': etag } }
    await resource.update(id, productSample(96, refs), known)
    const changed = { status: 412, message: 'the record has changed' }
    await expect(resource.update(id, productSample(95, refs), known)).rejects.toMatchObject(changed)
    await expect(resource.remove(id, known)).rejects.toMatchObject(changed)
    expect((await read({ 'if-none-match': etag })).status).toBe(200)
    await resource.remove(id, { headers: { 'if-match': '*' } })
  })

  test('sorts a list and continues after a cursor', async () => {
    const first = await resource.create(productSample(8, refs))
    const second = await resource.create(productSample(9, refs))
    const page = await resource.list({ sort: '-id', page_size: 1 })
    expect(page.products).toEqual([second])
    const cursor = page.next_cursor ?? ''
    expect(await resource.list({ cursor, page_size: 1 })).toMatchObject({ products: [first] })
    await expect(resource.list({ cursor, sort: 'id' })).rejects.toMatchObject({ status: 400 })
    await expect(resource.list({ cursor, page: 1 })).rejects.toMatchObject({ status: 400 })
  })

  test('filters a list and rejects malformed filters', async () => {
    await resource.create(productSample(6, refs))
    const { total } = await resource.list()
    expect(await resource.list({ label: refs.label.id })).toMatchObject({ total })
    expect(await resource.list({ search: 'no such text' })).toMatchObject({ total: 0 })
    const status = async (query: string) =>
      (await fetch(`${app.baseUrl}/api/v1/products?${query}`)).status
    expect(await status('category_id=0')).toBe(400)
    expect(await status('sold_out=yes')).toBe(400)
    expect(await status('price[gte]=x')).toBe(400)
    expect(await status('made[gte]=x')).toBe(400)
    expect(await status('label=1&label=2')).toBe(400)
    expect(await status('search=a&search=b')).toBe(400)
    expect(total).toBeGreaterThan(0)
  })
})

/** Omits many-to-many fields: a body has keys in them, a reply has the related records. */
function withoutLists({ labels: _labels, ...body }: ReturnType<typeof productSample>) {
  return body
}
