import { expect, test } from 'vitest'
import {
  certificateRetryMs,
  domainState,
  normalizeDomain,
  recordsOf,
  renewalAt,
} from './own-domains.ts'

test.each([
  ['Shop.Example.COM', 'shop.example.com'],
  ['shop.example.com.', 'shop.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['例え.jp', 'xn--r8jz45g.jp'],
  ['apps.example.com.evil.net', 'apps.example.com.evil.net'],
  ['notapps.example.com', 'notapps.example.com'],
])('normalizeDomain makes %s to %s', (text, domain) => {
  expect(normalizeDomain(text, 'apps.example.com')).toEqual({ domain })
})

test.each([
  ['*.example.com', /\*/],
  ['10.0.0.1', /IP address/],
  ['[::1]', /IP address/],
  ['::1', /IP address/],
  ['0x7f.1', /invalid domain/],
  ['apps.example.com', /below the base domain/],
  ['MAIN.Apps.Example.com.', /below the base domain/],
  ['ａpps.example.com', /below the base domain/],
  ['localhost', /invalid domain/],
  ['', /invalid domain/],
  ['.', /invalid domain/],
  ['a..b', /invalid domain/],
  ['-a.example.com', /invalid domain/],
  ['a_b.example.com', /invalid domain/],
  ['shop.example.com/path', /invalid domain/],
  ['user@shop.example.com', /invalid domain/],
  ['shop.example.com:80', /invalid domain/],
  ['shop example.com', /invalid domain/],
  ['shop.example.com\n', /invalid domain/],
  ['shop%2eexample.com', /invalid domain/],
  [`${'a'.repeat(64)}.example.com`, /invalid domain/],
  [`${'a.'.repeat(127)}example.com`, /invalid domain/],
])('normalizeDomain refuses %j', (text, reason) => {
  expect(normalizeDomain(text, 'apps.example.com')).toEqual({
    fault: expect.stringMatching(reason),
  })
})

test('recordsOf names each address, otherwise a host name of the server', () => {
  const name = 'shop.example.com'
  const addresses = ['203.0.113.7', '2001:db8::7']
  expect(recordsOf(name, { addresses, hostname: 'x' })).toEqual([
    { type: 'A', name, value: '203.0.113.7' },
    { type: 'AAAA', name, value: '2001:db8::7' },
  ])
  expect(recordsOf(name, { addresses: [], hostname: 'main--a.apps.net' })).toEqual([
    { type: 'CNAME', name, value: 'main--a.apps.net' },
  ])
  expect(recordsOf(name, { addresses: [], hostname: null })).toEqual([])
})

test.each([
  [{ fault: null, expiresAt: null, hasAuthority: false }, 'http'],
  [{ fault: 'old', expiresAt: null, hasAuthority: false }, 'http'],
  [{ fault: null, expiresAt: null, hasAuthority: true }, 'pending'],
  [{ fault: 'refused', expiresAt: null, hasAuthority: true }, 'trouble'],
  [{ fault: 'refused', expiresAt: 20, hasAuthority: true }, 'trouble'],
  [{ fault: null, expiresAt: 20, hasAuthority: true }, 'secure'],
  [{ fault: null, expiresAt: 20, hasAuthority: false }, 'secure'],
  [{ fault: null, expiresAt: 10, hasAuthority: true }, 'trouble'],
])('the state of a domain with %o is %s', (facts, state) => {
  expect(domainState({ ...facts, now: 10 })).toBe(state)
})

test('a certificate is renewed after two thirds of its life', () => {
  expect(renewalAt({ notBefore: 1_000, notAfter: 91_000 })).toBe(61_000)
})

test('the delay after failures grows to twelve hours and is not below the demanded delay', () => {
  const minute = 60_000
  const delays = [1, 2, 3, 4, 5, 100].map((failures) => certificateRetryMs(failures, 0))
  expect(delays).toEqual([15, 60, 240, 720, 720, 720].map((each) => each * minute))
  expect(certificateRetryMs(1, 1_440 * minute)).toBe(1_440 * minute)
  expect(certificateRetryMs(4, minute)).toBe(720 * minute)
})
