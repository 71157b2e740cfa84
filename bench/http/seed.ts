import { deepStrictEqual, strictEqual } from 'node:assert'
import type { Server } from './server.ts'

interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly age: number
  readonly created_at: string
  readonly updated_at: string
}

const concurrency = 20

/** Creates `count` users over HTTP and returns their ids. Throws if the app breaks the contract. */
export async function seedUsers(server: Server, count: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let from = 0; from < count; from += concurrency) {
    const indexes = Array.from({ length: Math.min(concurrency, count - from) }, (_, i) => from + i)
    const users = await Promise.all(indexes.map((index) => createUser(server, index)))
    ids.push(...users.map((user) => user.id))
  }
  await mustKeepContract(server, count)
  return ids
}

/** Apps are comparable only if they do the same work: the same rows, in the same order, with a total. */
async function mustKeepContract(server: Server, count: number): Promise<void> {
  const last = await createUser(server, count)
  const got = await call<User>(server, 200, 'GET', `/${last.id}`)
  deepStrictEqual(got, last)
  deepStrictEqual(Object.keys(got).toSorted(), userKeys)
  const list = await call<{ users: User[]; total: number }>(server, 200, 'GET', '?page_size=20')
  strictEqual(list.total, count + 1)
  strictEqual(list.users.length, 20)
  strictEqual(list.users[0]?.id, last.id)
  await call(server, 400, 'POST', '', { name: 'Ada', email: 'not an address', age: 36 })
  await call(server, 404, 'GET', '/999999')
}

const userKeys = ['age', 'created_at', 'email', 'id', 'name', 'updated_at']

function createUser(server: Server, index: number): Promise<User> {
  const body = { name: `Ada ${index}`, email: `ada${index}@example.com`, age: 20 + (index % 60) }
  return call<User>(server, 201, 'POST', '', body)
}

async function call<T>(
  server: Server,
  expect: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/users${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  strictEqual(answer.status, expect, `${server.key}: ${method} ${path}: ${answer.status} ${text}`)
  // The callers assert the shape.
  return JSON.parse(text) as T
}
