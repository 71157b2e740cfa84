import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '../domain/app-error.js'
import { createLimits, createQueue } from './limits.js'

/** `?address=` is the client's address. A password is right if it is "right". */
const app = express()
const limits = createLimits((req) => String(req.query.email))
app.use((req, _res, next) => {
  Object.defineProperty(req, 'ip', { value: req.query.address })
  next()
})
app.get('/', ...limits.login, (req, res) => {
  if (req.query.password === 'right') limits.trust(req, res)
  res.status(req.query.password === 'right' ? 200 : 401).end()
})
app.use(((error: AppError, _req, res, _next) => {
  res.status(error instanceof AppError ? 429 : 500).end()
}) satisfies express.ErrorRequestHandler)
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

async function login(address: string, email: string, password = 'wrong') {
  const query = new URLSearchParams({ address, email, password })
  const { port } = server.address() as AddressInfo
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/?${query}`)
  return { status, retryAfter: Number(headers.get('retry-after')) }
}

function guess(count: number, address: string, emailOf: (n: number) => string) {
  return Promise.all(Array.from({ length: count }, (_, n) => login(address, emailOf(n))))
}

test('failed log-ins with one e-mail address are limited, at any address', async () => {
  const results = await guess(30, '192.0.2.1', () => 'ada')
  expect(results.filter(({ status }) => status === 401)).toHaveLength(20)
  expect(await login('192.0.2.2', 'ada')).toEqual({
    status: 429,
    retryAfter: expect.toSatisfy(Boolean),
  })
  expect(await login('192.0.2.1', 'bob')).toMatchObject({ status: 401 })
})

test('failed log-ins of one address are limited, and a /64 network is one address', async () => {
  await guess(310, '2001:db8::1', (n) => `user-${n}`)
  expect(await login('2001:db8::2', 'carol')).toMatchObject({ status: 429 })
  expect(await login('2001:db8:0:1::2', 'carol')).toMatchObject({ status: 401 })
})

test('guesses do not lock out a user who logged in from the same address before', async () => {
  await login('192.0.2.3', 'dora', 'right')
  await guess(310, '192.0.2.3', (n) => `guest-${n}`)
  await guess(30, '192.0.2.4', () => 'dora')
  expect(await login('192.0.2.3', 'dora', 'right')).toMatchObject({ status: 200 })
})

test('successful log-ins are not counted', async () => {
  for (let n = 0; n < 40; n += 1) {
    expect(await login('192.0.2.5', 'erin', 'right')).toMatchObject({ status: 200 })
  }
})

test('the queue runs the newest task first and refuses the oldest', async () => {
  const queue = createQueue(1, 2)
  const order: number[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const run = (n: number) =>
    queue(async () => {
      order.push(n)
      await gate
    })
  const tasks = [0, 1, 2, 3].map(run)
  const results = Promise.allSettled(tasks)
  await expect(tasks[1]).rejects.toMatchObject({ kind: 'unavailable' })
  open()
  await results
  expect(order).toEqual([0, 3, 2])
})
