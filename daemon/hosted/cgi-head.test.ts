import { expect, test } from 'vitest'
import { splitCgiHead } from './cgi-head.ts'

test('splitCgiHead returns the status, the headers of git and the start of the body', () => {
  const output =
    'Status: 404 Not Found\r\nContent-Type: text/plain\r\nSet-Cookie: a=b\r\n\r\nbody\r\n\r\nmore'
  expect(splitCgiHead(Buffer.from(output))).toEqual({
    head: { status: 404, headers: [['Content-Type', 'text/plain']] },
    rest: Buffer.from('body\r\n\r\nmore'),
  })
})

test('splitCgiHead answers 200 without a status, and undefined for an incomplete header', () => {
  expect(splitCgiHead(Buffer.from('Expires: 0\r\n\r\n'))?.head.status).toBe(200)
  expect(splitCgiHead(Buffer.from('Expires: 0\r\n'))).toBeUndefined()
})

test('splitCgiHead throws for a header of more than 16 KiB', () => {
  expect(() => splitCgiHead(Buffer.alloc(20_000, 'x'))).toThrow(/too large/)
})
