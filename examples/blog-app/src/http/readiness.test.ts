import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { serveReadiness } from './readiness.js'

test('concurrent requests share one ping, and a later request sends another', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  let pings = 0
  const handler = serveReadiness(() => {
    pings += 1
    return answered
  })
  const bodies: unknown[] = []
  const response = { json: (body: unknown) => bodies.push(body) } as unknown as Response
  const ask = () => handler({} as Request, response, () => {})
  const asked = [ask(), ask(), ask()]
  answer()
  await Promise.all(asked)
  expect([pings, bodies]).toEqual([1, Array(3).fill({ status: 'ready' })])
  await ask()
  expect(pings).toBe(2)
})
