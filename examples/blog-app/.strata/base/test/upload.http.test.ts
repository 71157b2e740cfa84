import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '../client/index.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { memory } from './support/stores.js'

const maxBytes = 5 * 1024 * 1024

const waitOptions = { timeout: 20_000 }

/** An incomplete form. */
const part = [
  '--x',
  'Content-Disposition: form-data; name="image"; filename="a.png"',
  '',
  'the first half',
].join('\r\n')

let app: Awaited<ReturnType<typeof startApp>>
let uploads: ReturnType<typeof createClient>['uploads']

beforeAll(async () => {
  app = await startApp(memory)
  uploads = createClient({
    baseUrl: app.baseUrl,
    headers: app.headers,
    fetch: await createOpenApiFetch(app.baseUrl),
  }).uploads
})
afterEach(() => rmSync(app.uploadFolder, { recursive: true, force: true }))
afterAll(() => app.stop())

function post(body: string | FormData, headers = {}) {
  return fetch(`${app.baseUrl}/api/v1/uploads`, {
    method: 'POST',
    body,
    headers: { ...app.headers, ...headers },
  })
}

function formOf(...files: [field: string, name: string][]): FormData {
  const form = new FormData()
  for (const [field, name] of files) form.append(field, new Blob(['an image']), name)
  return form
}

function saved(): string[] {
  try {
    return readdirSync(app.uploadFolder)
  } catch {
    return []
  }
}

describe('POST /uploads', () => {
  test.each([
    ['a.png', '.png', 'image/png'],
    ['b.JPG', '.JPG', 'image/jpeg'],
    ['c.x.Jpeg', '.Jpeg', 'image/jpeg'],
    ['../../d.gif', '.gif', 'image/gif'],
  ])('saves %s and serves it under a unique name', async (name, extension, type) => {
    const { success, url } = await uploads.create(new Blob(['an image']), name)
    expect(success).toBe(true)
    expect(url).toMatch(new RegExp(`^/uploads/[0-9a-f-]{36}\\${extension}$`))

    const response = await fetch(app.baseUrl + url)
    expect([response.status, await response.text()]).toEqual([200, 'an image'])
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('accepts an image of 5 MiB and rejects a larger one', async () => {
    await uploads.create(new Blob([new Uint8Array(maxBytes)]), 'a.png')
    expect(saved()).toHaveLength(1)
    const tooLarge = uploads.create(new Blob([new Uint8Array(maxBytes + 1)]), 'a.png')
    await expect(tooLarge).rejects.toMatchObject({ status: 413 })
    expect(saved()).toHaveLength(1)
  })

  test.each(['a.svg', 'a.png.exe', 'png', 'a.png '])('rejects a file called %j', async (name) => {
    await expect(uploads.create(new Blob(['an image']), name)).rejects.toMatchObject({
      status: 400,
      message: 'Invalid file type',
    })
    expect(saved()).toEqual([])
  })

  test.each<[string, () => string | FormData, object]>([
    ['a form without a file', () => formOf(), {}],
    ['a file in another field', () => formOf(['picture', 'a.png']), {}],
    ['a body that is not a form', () => '{}', { 'content-type': 'application/json' }],
  ])('rejects %s', async (_, body, headers) => {
    const response = await post(body(), headers)
    expect([response.status, await response.json()]).toEqual([400, { error: 'No file uploaded' }])
  })

  test.each<[string, string | FormData, object]>([
    ['a form without a boundary', 'image', { 'content-type': 'multipart/form-data' }],
    ['an incomplete form', part, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['two images', formOf(['image', 'a.png'], ['image', 'b.png']), {}],
    ['an image and a file in another field', formOf(['image', 'a.png'], ['more', 'b.png']), {}],
  ])('rejects %s and leaves no file', async (_, body, headers) => {
    const response = await post(body, headers)
    expect([response.status, await response.json()]).toEqual([400, { error: expect.any(String) }])
    expect(saved()).toEqual([])
  })

  test('deletes the partial file of an aborted upload', async () => {
    const upload = request(`${app.baseUrl}/api/v1/uploads`, {
      method: 'POST',
      headers: { ...app.headers, 'content-type': 'multipart/form-data; boundary=x' },
    })
    upload.on('error', () => {})
    upload.write(part)
    await vi.waitUntil(() => saved().length > 0, waitOptions)
    upload.destroy()
    await vi.waitUntil(() => saved().length === 0, waitOptions)
  })

  test('responds with 500 if the file cannot be saved', async () => {
    writeFileSync(app.uploadFolder, 'a file where the folder would be')
    await expect(uploads.create(new Blob(['an image']), 'a.png')).rejects.toMatchObject({
      status: 500,
      message: 'Failed to save file',
    })
  })
})

test.each([
  '/uploads',
  '/uploads/..%2f..%2fpackage.json',
  '/uploads/00000000-0000-4000-8000-000000000000.png',
  '/uploads/00000000-0000-4000-8000-000000000000.png.part',
])('GET %s responds with 404', async (path) => {
  const response = await fetch(app.baseUrl + path)
  expect([response.status, await response.json()]).toEqual([404, { error: expect.any(String) }])
})
