import { expect, test } from 'vitest'
import { isLocalUrl, parseDaemonUrl } from './daemon-url.ts'

test.each([
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['localhost:9000', 'http://localhost:9000'],
  ['deploy.example.com', 'https://deploy.example.com'],
  ['https://example.com/strata/', 'https://example.com/strata'],
  [' http://example.com:9000/api/v1/ ', 'http://example.com:9000'],
  ['http://[::1]:9000', 'http://[::1]:9000'],
])('the address %s is normalized to %s', (text, url) => {
  expect(parseDaemonUrl(text)).toBe(url)
})

test.each(['', 'ftp://example.com', 'http://', 'https://example.com?x', 'https://e.com/#a'])(
  'rejects %j as the address of a daemon',
  (text) => {
    expect(() => parseDaemonUrl(text)).toThrow(/address/)
  },
)

test('rejects an address with a credential without repeating it', () => {
  const parse = () => parseDaemonUrl('https://user:hunter2@example.com')
  expect(parse).toThrow(/credential/)
  expect(parse).not.toThrow(/hunter2/)
})

test('only loopback addresses count as a daemon on this machine', () => {
  const local = ['http://127.0.0.1:9000', 'http://localhost', 'http://[::1]:9']
  expect(local.every(isLocalUrl)).toBe(true)
  expect(isLocalUrl('https://127.0.0.1.example.com')).toBe(false)
})
