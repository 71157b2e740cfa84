import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { redacted } from './redacted.ts'
import { createSigningKey, signatureHeaders } from './sign-notification.ts'

/** Loads the code of `docs/notifications.md` that verifies a signature. */
async function documentedVerify() {
  const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8')
  const [, code] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  if (code === undefined) throw new Error('docs/notifications.md has no block of JavaScript')
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  const module: { verify: Verify } = await import(/* @vite-ignore */ url)
  return module.verify
}
type Verify = (headers: Record<string, string>, body: string, key: string) => void

const body = '{"type":"test"}'

test('the documented code accepts a signature, and refuses a changed body, another key and an old time', async () => {
  const verify = await documentedVerify()
  const key = createSigningKey()
  const headers = signatureHeaders({ id: 'msg_1', at: Date.now(), body }, key)
  expect(() => verify(headers, body, key.reveal())).not.toThrow()
  expect(() => verify(headers, `${body} `, key.reveal())).toThrow('the signature is wrong')
  expect(() => verify(headers, body, createSigningKey().reveal())).toThrow('the signature is wrong')
  const renamed = { ...headers, 'webhook-id': 'msg_2' }
  expect(() => verify(renamed, body, key.reveal())).toThrow('the signature is wrong')
  const old = signatureHeaders({ id: 'msg_1', at: Date.now() - 600_000, body }, key)
  expect(() => verify(old, body, key.reveal())).toThrow('the notification is too old')
})

test('a signature equals the example of Standard Webhooks', () => {
  const key = redacted('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  }
  expect(signatureHeaders(message, key)['webhook-signature']).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})
