import { expect, test } from 'vitest'
import { isLocalUrl, parseDaemonUrl } from './daemon-url.ts'

test.each([
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['localhost:9000', 'http://localhost:9000'],
  ['deploy.example.com', 'https://deploy.example.com'],
  ['https://example.com/strata/', 'https://example.com/strata'],
  [' http://example.com:9000/api/v1/ ', 'http://example.com:9000'],
  ['http://[::1]:9000', 'http://[::1]:9000'],
])('%s is kept as %s', (text, url) => {
  expect(parseDaemonUrl(text)).toBe(url)
})

test.each(['', 'ftp://example.com', 'http://', 'https://example.com?x', 'https://e.com/#a'])(
  '%j is no address of a daemon',
  (text) => {
    expect(() => parseDaemonUrl(text)).toThrow(/address/)
  },
)

test('a credential in an address is refused and not shown', () => {
  const parse = () => parseDaemonUrl('https://user:hunter2@example.com')
  expect(parse).toThrow(/credential/)
  expect(parse).not.toThrow(/hunter2/)
})

test('a daemon on this machine can read its folders', () => {
  const local = ['http://127.0.0.1:9000', 'http://localhost', 'http://[::1]:9']
  expect(local.every(isLocalUrl)).toBe(true)
  expect(isLocalUrl('https://127.0.0.1.example.com')).toBe(false)
})
