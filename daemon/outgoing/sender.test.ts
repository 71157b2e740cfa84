import { afterEach, beforeEach, expect, test } from 'vitest'
import { type StandIn, startStandIn } from '../../test/support/daemon/outgoing/stand-in.ts'
import { redacted } from '../domain/redacted.ts'
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
