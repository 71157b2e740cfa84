import assert from 'node:assert/strict'
import { assertStatus, objectOf } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import { jsonOf, type Reply, send } from '../http.ts'

/** One part of a multipart form. */
export interface Part {
  readonly field: string
  /** Undefined for a text field. */
  readonly file?: string
  readonly content: string | Buffer
}

/** A body with its headers. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export const uploadsPath = '/api/v1/uploads'
export const boundary = 'conformance-7145'

/** Builds a multipart form; file names are not escaped. */
export function formOf(...parts: readonly Part[]): Form {
  const chunks = parts.flatMap(({ field, file, content }) => {
    const name = file === undefined ? '' : `; filename="${file}"`
    const type = file === undefined ? '' : 'Content-Type: application/octet-stream\r\n'
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}\r\n${type}`
    return [Buffer.from(`${head}\r\n`), Buffer.from(content), Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body }
}

/** Builds a form with one file in the field `image`. */
export function imageForm(file: string, content: Buffer = imageOf(file)): Form {
  return formOf({ field: 'image', file, content })
}

/** Builds a form whose only part has the given head. */
export function malformed(head: string): Form {
  const { headers } = formOf()
  return { headers, body: Buffer.from(`--${boundary}\r\n${head}\r\n\r\nx\r\n--${boundary}--\r\n`) }
}

/** Returns bytes that begin with the signature of the image type in `name`. */
export function imageOf(file: string, size = 300): Buffer {
  const kind = file.slice(-3).toLowerCase()
  const begin = kind === 'png' ? '89504e470d0a1a0a' : kind === 'gif' ? '474946383961' : 'ffd8ffe0'
  const head = Buffer.from(begin, 'hex')
  return Buffer.concat([head, Buffer.alloc(size - head.length, 'pixels\r\n--\0')])
}

/** POSTs a form as the caller and returns any response. */
export function upload(caller: AppUnderTest, { headers, body }: Form): Promise<Reply> {
  const all = { ...caller.headers, ...headers }
  return send(caller, { method: 'POST', path: uploadsPath, headers: all, body, alone: true })
}

/** Returns the URL of an upload. Throws unless the response matches the contract. */
export function urlOf(reply: Reply): string {
  assertStatus(reply, 200)
  const { success, url, ...rest } = objectOf(jsonOf(reply), reply.call)
  assert.equal(success, true, `${reply.call}: success`)
  assert.deepEqual(rest, {}, `${reply.call}: more than success and url`)
  assert.ok(typeof url === 'string', `${reply.call}: no url`)
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  assert.match(url, new RegExp(`^/uploads/${uuid}\\.[A-Za-z]+$`), `${reply.call}: url`)
  return url
}
