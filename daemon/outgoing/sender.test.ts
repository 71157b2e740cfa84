import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type StandIn, startStandIn } from '../../test/support/daemon/outgoing/stand-in.ts'
import { redacted } from '../domain/redacted.ts'
import { isPublicAddress } from './addresses.ts'
import { createSender } from './sender.ts'

let host: StandIn
beforeEach(async () => {
  host = await startStandIn(() => ({ status: 200 }))
})
afterEach(() => host.close())

const { signal } = new AbortController()
const request = (url: string) => ({
  url,
  headers: { authorization: redacted('token') },
  body: '{}',
})
const post = (url: string, privateHosts: string[] = [], timeoutMs?: number) =>
  createSender({ privateHosts, version: '1.0.0', ...(timeoutMs && { timeoutMs }) }).post(
    request(url),
    signal,
  )

test('a trusted host gets the body and the headers', async () => {
  expect(await post(host.url, ['127.0.0.1'])).toMatchObject({ status: 200 })
  const [{ headers, body } = { headers: {}, body: '' }] = host.received
  expect(headers).toMatchObject({ authorization: 'token', 'user-agent': 'stratad/1.0.0' })
  expect(body).toBe('{}')
})

test('a name that resolves to this machine gets no connection', async () => {
  const { port } = new URL(host.url)
  await expect(post(`https://localhost:${port}`)).rejects.toThrow('must lead to a public address')
  await expect(post(host.url)).rejects.toThrow('must lead to a public address')
  expect(host.received).toEqual([])
  expect(await post(`http://localhost:${port}`, ['localhost'])).toMatchObject({ status: 200 })
})

test('a host that does not answer ends the request', async () => {
  host.answers.push('hang')
  await expect(post(host.url, ['127.0.0.1'], 200)).rejects.toMatchObject({
    kind: 'transient',
    message: 'no answer within 0.2 s',
  })
})

test('of a long answer, 64 KiB are read', async () => {
  host.answers.push({ status: 500, body: 'x'.repeat(2 ** 20) })
  const { status, body } = await post(host.url, ['127.0.0.1'])
  expect(status).toBe(500)
  expect(body).toHaveLength(64 * 1024)
})

test('an answer demands a time of waiting', async () => {
  host.answers.push({ status: 429, headers: { 'retry-after': '90' } })
  expect(await post(host.url, ['127.0.0.1'])).toMatchObject({ status: 429, retryAfterMs: 90_000 })
})

describe('an address is public', () => {
  test.each(['1.1.1.1', '140.82.121.5', '2606:4700::1111', '172.32.0.1'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '::', '::1', 'fe80::1%eth0', 'fd00::1'],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', 'nonsense'],
  ])('except %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
