import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '../client/index.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { memory } from './support/stores.js'

const maxBytes = 5 * 1024 * 1024

const waitOptions = { timeout: 20_000 }

/** The first bytes of a file of each type. */
const heads = {
  png: Buffer.from('89504e470d0a1a0a', 'hex'),
  jpg: Buffer.from('ffd8ffe0', 'hex'),
  gif: Buffer.from('GIF89a'),
}
const png = new Blob([heads.png, 'pixels'])

/** An incomplete form. */
const part = Buffer.concat([
  Buffer.from('--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'),
  heads.png,
])

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

function post(body: string | Buffer | FormData, headers = {}) {
  return fetch(`${app.baseUrl}/api/v1/uploads`, {
    method: 'POST',
    body,
    headers: { ...app.headers, ...headers },
  })
}

function formOf(...files: [field: string, name: string][]): FormData {
  const form = new FormData()
  for (const [field, name] of files) form.append(field, png, name)
  return form
}

function startUpload() {
  const upload = request(`${app.baseUrl}/api/v1/uploads`, {
    method: 'POST',
    headers: { ...app.headers, 'content-type': 'multipart/form-data; boundary=x' },
  })
  return upload.on('error', () => {})
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
    ['a.png', heads.png, '.png', 'image/png'],
    ['b.JPG', heads.jpg, '.JPG', 'image/jpeg'],
    ['c.x.Jpeg', heads.jpg, '.Jpeg', 'image/jpeg'],
    ['../../d.gif', heads.gif, '.gif', 'image/gif'],
  ])('saves %s and serves it under a unique name', async (name, head, extension, type) => {
    const image = Buffer.concat([head, Buffer.from('pixels')])
    const { success, url } = await uploads.create(new Blob([image]), name)
    expect(success).toBe(true)
    expect(url).toMatch(new RegExp(`^/uploads/[0-9a-f-]{36}\\${extension}$`))

    const response = await fetch(app.baseUrl + url)
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, image])
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('accepts an image of 5 MiB and rejects a larger one', async () => {
    const pixels = new Uint8Array(maxBytes - heads.png.length)
    await uploads.create(new Blob([heads.png, pixels]), 'a.png')
    expect(saved()).toHaveLength(1)
    const tooLarge = uploads.create(new Blob([heads.png, pixels, 'x']), 'a.png')
    await expect(tooLarge).rejects.toMatchObject({ status: 413 })
    expect(saved()).toHaveLength(1)
  })

  test.each([
    ['a file called a.svg', 'a.svg', heads.png],
    ['a file called a.png.exe', 'a.png.exe', heads.png],
    ['a file called png', 'png', heads.png],
    ['a file whose extension ends in a space', 'a.png ', heads.png],
    ['an empty file', 'a.png', ''],
    ['HTML called a.png', 'a.png', '<html></html>'],
    ['a GIF called a.png', 'a.png', heads.gif],
  ])('rejects %s and leaves no file', async (_, name, content) => {
    await expect(uploads.create(new Blob([content]), name)).rejects.toMatchObject({
      status: 400,
      message: 'Invalid file type',
    })
    await vi.waitUntil(() => saved().length === 0, waitOptions)
  })

  test('refuses a file before its end', async () => {
    const refused = startUpload()
    refused.write(String(part).replace('a.png', 'a.svg'))
    const [response] = await once(refused, 'response')
    expect(response.statusCode).toBe(400)
    refused.destroy()
  })

  test.each<[string, () => string | FormData, object]>([
    ['a form without a file', () => formOf(), {}],
    ['a file in another field', () => formOf(['picture', 'a.png']), {}],
    ['a body that is not a form', () => '{}', { 'content-type': 'application/json' }],
  ])('rejects %s', async (_, body, headers) => {
    const response = await post(body(), headers)
    expect([response.status, await response.json()]).toEqual([400, { error: 'No file uploaded' }])
  })

  test.each<[string, string | Buffer | FormData, object]>([
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
    const upload = startUpload()
    upload.write(part)
    await vi.waitUntil(() => saved().length > 0, waitOptions)
    upload.destroy()
    await vi.waitUntil(() => saved().length === 0, waitOptions)
  })

  test('responds with 500 if the file cannot be saved', async () => {
    writeFileSync(app.uploadFolder, 'a file where the folder would be')
    await expect(uploads.create(png, 'a.png')).rejects.toMatchObject({
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
