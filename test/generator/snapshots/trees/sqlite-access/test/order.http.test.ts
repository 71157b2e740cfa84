import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.js'
import {
  badOrderFields,
  type OrderRefs,
  orderSample,
  seedOrderRefs,
} from './samples/order.sample.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { testStores } from './support/stores.js'

describe.each(testStores)('orders over HTTP on $name', (store) => {
  let app: Awaited<ReturnType<typeof startApp>>
  let resource: ReturnType<typeof createClient>['orders']
  let refs: OrderRefs

  const clientWith = (headers: Record<string, string>) =>
    createClient({ baseUrl: app.baseUrl, headers }).orders

  beforeAll(async () => {
    app = await startApp(store)
    resource = createClient({
      baseUrl: app.baseUrl,
      fetch: await createOpenApiFetch(app.baseUrl),
      headers: app.headers,
    }).orders
    refs = await seedOrderRefs(app.repositories)
  })
  afterAll(() => app.stop())

  test('creates, reads, updates and deletes orders', async () => {
    const created = await resource.create(orderSample(1, refs))
    expect(created).toMatchObject(orderSample(1, refs))
    expect(await resource.find(created.id)).toMatchObject(created)
    expect(await resource.list()).toEqual({
      orders: [created],
      total: 1,
      page: 1,
      page_size: 20,
      next_cursor: null,
    })

    const updated = await resource.update(created.id, orderSample(2, refs))
    expect(updated).toMatchObject({
      id: created.id,
      ...orderSample(2, refs),
      created_at: created.created_at,
    })
    expect(await resource.find(created.id)).toMatchObject(updated)

    expect(await resource.remove(created.id)).toBeUndefined()
    await expect(resource.find(created.id)).rejects.toMatchObject({ status: 404 })
    expect(await resource.list()).toMatchObject({ orders: [], total: 0 })
  })

  test('accepts an update whose body is the record as read', async () => {
    const created = await resource.create(orderSample(3, refs))
    expect(await resource.update(created.id, created)).toMatchObject(orderSample(3, refs))
  })

  test('names all invalid fields of a body at once', async () => {
    const body = { ...badOrderFields, 'no-such-field': 1 } as never
    const refused = {
      status: 400,
      details: Object.keys(body).map((path) => expect.objectContaining({ path })),
    }
    await expect(resource.create(body)).rejects.toMatchObject(refused)
  })

  test('rejects a body that is not a JSON object, or is too large', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.baseUrl}/api/v1/orders`, {
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
      (await fetch(`${app.baseUrl}/api/v1/orders${path}`, { headers: app.headers })).status
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
    const { id } = await resource.create(orderSample(4, refs))
    await expect(resource.update(id, {})).rejects.toMatchObject({ status: 400 })
  })

  test('answers 304 and 412 by the ETag of a record', async () => {
    const { id } = await resource.create(orderSample(95, refs))
    const read = (headers = {}) =>
      fetch(`${app.baseUrl}/api/v1/orders/${id}`, { headers: { ...app.headers, ...headers } })
    const etag = (await read()).headers.get('etag') ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)

    const known = { headers: { 'if-match': etag } }
    await resource.update(id, orderSample(96, refs), known)
    const changed = { status: 412, message: 'the record has changed' }
    await expect(resource.update(id, orderSample(95, refs), known)).rejects.toMatchObject(changed)
    await expect(resource.remove(id, known)).rejects.toMatchObject(changed)
    expect((await read({ 'if-none-match': etag })).status).toBe(200)
    await resource.remove(id, { headers: { 'if-match': '*' } })
  })

  test('rejects requests without a token', async () => {
    const anonymous = createClient({ baseUrl: app.baseUrl }).orders
    const refused = { status: 401, message: 'Authorization header required' }
    await expect(anonymous.create(orderSample(5, refs))).rejects.toMatchObject(refused)
    await expect(anonymous.update(1, {})).rejects.toMatchObject(refused)
    await expect(anonymous.remove(1)).rejects.toMatchObject(refused)
    await expect(anonymous.list()).rejects.toMatchObject(refused)
    await expect(anonymous.find(1)).rejects.toMatchObject(refused)
  })

  test('sorts a list and continues after a cursor', async () => {
    const first = await resource.create(orderSample(8, refs))
    const second = await resource.create(orderSample(9, refs))
    const page = await resource.list({ sort: '-id', page_size: 1 })
    expect(page.orders).toEqual([second])
    const cursor = page.next_cursor ?? ''
    expect(await resource.list({ cursor, page_size: 1 })).toMatchObject({ orders: [first] })
    await expect(resource.list({ cursor, sort: 'id' })).rejects.toMatchObject({ status: 400 })
    await expect(resource.list({ cursor, page: 1 })).rejects.toMatchObject({ status: 400 })
  })

  test('orders of other users answer like absent ones, except to admins', async () => {
    const { id } = await resource.create(orderSample(1, refs))
    const [stranger, admin] = [clientWith(app.strangerHeaders), clientWith(app.adminHeaders)]
    const changes = orderSample(2, refs)
    await expect(stranger.find(id)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.update(id, changes)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.remove(id)).rejects.toMatchObject({ status: 404 })
    const { orders, total } = await resource.list()
    expect(orders.map((row) => row.id)).toContain(id)
    expect(await stranger.list()).toMatchObject({ orders: [], total: 0 })
    expect(await stranger.list({ customer_id: app.caller.id })).toMatchObject({
      orders: [],
      total: 0,
    })
    expect(await admin.update(id, changes)).toMatchObject({ id })
    expect((await admin.list()).total).toBeGreaterThanOrEqual(total)
    expect(await admin.remove(id)).toBeUndefined()
  })

  test('filters a list and rejects malformed filters', async () => {
    await resource.create(orderSample(6, refs))
    const { total } = await resource.list()
    const status = async (query: string) =>
      (await fetch(`${app.baseUrl}/api/v1/orders?${query}`, { headers: app.headers })).status
    expect(await status('customer_id=0')).toBe(400)
    expect(await status('country_id=0')).toBe(400)
    expect(total).toBeGreaterThan(0)
  })
})
