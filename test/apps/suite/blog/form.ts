import assert from 'node:assert/strict'
import { assertStatus, objectOf } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import { jsonOf, type Reply, send } from '../http.ts'

/** One part of a form, as it goes over the wire. */
export interface Part {
  readonly field: string
  /** Absent: a text field and no file. */
  readonly file?: string
  readonly content: string | Buffer
}

/** A body and what declares it. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export const uploadsPath = '/api/v1/uploads'
export const boundary = 'conformance-7145'

/** A multipart form, byte by byte; names of files are sent as they are. */
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

/** A form with one file in `image`. */
export function imageForm(file: string, content: Buffer = imageOf(file)): Form {
  return formOf({ field: 'image', file, content })
}

/** A form whose only part has this head. */
export function malformed(head: string): Form {
  const { headers } = formOf()
  return { headers, body: Buffer.from(`--${boundary}\r\n${head}\r\n\r\nx\r\n--${boundary}--\r\n`) }
}

/** Bytes that begin as an image with that name does. */
export function imageOf(file: string, size = 300): Buffer {
  const kind = file.slice(-3).toLowerCase()
  const begin = kind === 'png' ? '89504e470d0a1a0a' : kind === 'gif' ? '474946383961' : 'ffd8ffe0'
  const head = Buffer.from(begin, 'hex')
  return Buffer.concat([head, Buffer.alloc(size - head.length, 'pixels\r\n--\0')])
}

/** POSTs a form as the caller; the answer may be anything. */
export function upload(caller: AppUnderTest, { headers, body }: Form): Promise<Reply> {
  const all = { ...caller.headers, ...headers }
  return send(caller, { method: 'POST', path: uploadsPath, headers: all, body, alone: true })
}

/** Where an upload went. Throws unless the answer is as the contract fixes it. */
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
