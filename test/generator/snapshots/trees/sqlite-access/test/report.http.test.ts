import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.js'
import {
  badReportFields,
  type ReportRefs,
  reportSample,
  seedReportRefs,
} from './samples/report.sample.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { testStores } from './support/stores.js'

describe.each(testStores)('reports over HTTP on $name', (store) => {
  let app: Awaited<ReturnType<typeof startApp>>
  let resource: ReturnType<typeof createClient>['reports']
  let refs: ReportRefs

  const clientWith = (headers: Record<string, string>) =>
    createClient({ baseUrl: app.baseUrl, headers }).reports

  beforeAll(async () => {
    app = await startApp(store)
    resource = createClient({
      baseUrl: app.baseUrl,
      fetch: await createOpenApiFetch(app.baseUrl),
      headers: app.headers,
    }).reports
    refs = await seedReportRefs(app.repositories, app.caller)
  })
  afterAll(() => app.stop())

  test('creates, reads, updates and deletes reports', async () => {
    const created = await resource.create(reportSample(1, refs))
    expect(created).toMatchObject(reportSample(1, refs))
    expect(await resource.find(created.id)).toMatchObject(created)
    expect(await resource.list()).toEqual({
      reports: [created],
      total: 1,
      page: 1,
      page_size: 20,
      next_cursor: null,
    })

    const updated = await resource.update(created.id, reportSample(2, refs))
    expect(updated).toMatchObject({
      id: created.id,
      ...reportSample(2, refs),
      created_at: created.created_at,
    })
    expect(await resource.find(created.id)).toMatchObject(updated)

    expect(await resource.remove(created.id)).toBeUndefined()
    await expect(resource.find(created.id)).rejects.toMatchObject({ status: 404 })
    expect(await resource.list()).toMatchObject({ reports: [], total: 0 })
  })

  test('accepts an update whose body is the record as read', async () => {
    const created = await resource.create(reportSample(3, refs))
    expect(await resource.update(created.id, created)).toMatchObject(reportSample(3, refs))
  })

  test('names all invalid fields of a body at once', async () => {
    const body = { ...badReportFields, 'no-such-field': 1 } as never
    const refused = {
      status: 400,
      details: Object.keys(body).map((path) => expect.objectContaining({ path })),
    }
    await expect(resource.create(body)).rejects.toMatchObject(refused)
  })

  test('rejects a body that is not a JSON object, or is too large', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.baseUrl}/api/v1/reports`, {
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
      (await fetch(`${app.baseUrl}/api/v1/reports${path}`)).status
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
    const { id } = await resource.create(reportSample(4, refs))
    await expect(resource.update(id, {})).rejects.toMatchObject({ status: 400 })
  })

  test('answers 304 and 412 by the ETag of a record', async () => {
    const { id } = await resource.create(reportSample(95, refs))
    const read = (headers = {}) =>
      fetch(`${app.baseUrl}/api/v1/reports/${id}`, { headers: { ...headers } })
    const etag = (await read()).headers.get('etag') ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)

    const known = { headers: { 'if-match': etag } }
    await resource.update(id, reportSample(96, refs), known)
    const changed = { status: 412, message: 'the record has changed' }
    await expect(resource.update(id, reportSample(95, refs), known)).rejects.toMatchObject(changed)
    await expect(resource.remove(id, known)).rejects.toMatchObject(changed)
    expect((await read({ 'if-none-match': etag })).status).toBe(200)
    await resource.remove(id, { headers: { 'if-match': '*' } })
  })

  test('rejects requests without a token', async () => {
    const anonymous = createClient({ baseUrl: app.baseUrl }).reports
    const refused = { status: 401, message: 'Authorization header required' }
    await expect(anonymous.create(reportSample(5, refs))).rejects.toMatchObject(refused)
    await expect(anonymous.update(1, {})).rejects.toMatchObject(refused)
    await expect(anonymous.remove(1)).rejects.toMatchObject(refused)
  })

  test('sorts a list and continues after a cursor', async () => {
    const first = await resource.create(reportSample(8, refs))
    const second = await resource.create(reportSample(9, refs))
    const page = await resource.list({ sort: '-id', page_size: 1 })
    expect(page.reports).toEqual([second])
    const cursor = page.next_cursor ?? ''
    expect(await resource.list({ cursor, page_size: 1 })).toMatchObject({ reports: [first] })
    await expect(resource.list({ cursor, sort: 'id' })).rejects.toMatchObject({ status: 400 })
    await expect(resource.list({ cursor, page: 1 })).rejects.toMatchObject({ status: 400 })
  })

  test('other users may not change reports, and admins may', async () => {
    const { id } = await resource.create(reportSample(1, refs))
    const [stranger, admin] = [clientWith(app.strangerHeaders), clientWith(app.adminHeaders)]
    const changes = reportSample(2, refs)
    await expect(stranger.update(id, changes)).rejects.toMatchObject({ status: 403 })
    await expect(stranger.remove(id)).rejects.toMatchObject({ status: 403 })
    expect(await admin.update(id, changes)).toMatchObject({ id })
    expect(await admin.remove(id)).toBeUndefined()
  })

  test('reports can not be added or moved to order records of other users', async () => {
    const others = await seedReportRefs(app.repositories, app.stranger)
    const { id, order_id } = await resource.create(reportSample(1, refs))
    await expect(resource.create(reportSample(2, others))).rejects.toMatchObject({ status: 404 })
    const move = { order_id: others.order.id }
    await expect(resource.update(id, move)).rejects.toMatchObject({ status: 404 })
    expect(await resource.find(id)).toMatchObject({ order_id })
    await resource.remove(id)
  })

  test('filters a list and rejects malformed filters', async () => {
    await resource.create(reportSample(6, refs))
    const { total } = await resource.list()
    const status = async (query: string) =>
      (await fetch(`${app.baseUrl}/api/v1/reports?${query}`)).status
    expect(await status('author_id=0')).toBe(400)
    expect(await status('order_id=0')).toBe(400)
    expect(total).toBeGreaterThan(0)
  })
})
