import assert from 'node:assert/strict'
import { assertError, assertStatus } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { send } from './http.ts'
import {
  create,
  find,
  freshBody,
  list,
  put,
  type Resource,
  remove,
  update,
  writable,
} from './resource.ts'

/** Checks of concurrent requests. */
export function concurrencyChecks(resource: Resource): readonly Check[] {
  const { plural } = resource
  return [
    {
      title: `${plural}: fifty concurrent creates make fifty records`,
      run: async (app) => {
        const { total } = await list(app, resource)
        const made = await Promise.all(times(50, () => create(app, resource)))
        assert.equal(new Set(made.map(({ id }) => id)).size, 50)
        assert.equal((await list(app, resource)).total, total + 50)
        for (const record of made) assert.deepEqual(await find(app, resource, record.id), record)
      },
    },
    {
      title: `${plural}: one of several concurrent updates is stored completely`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const bodies = times(20, () => freshBody(resource))
        await Promise.all(bodies.map((body) => update(app, resource, id, body)))
        const kept = JSON.stringify(writable(resource, await find(app, resource, id)))
        assert.ok(
          bodies.some((body) => JSON.stringify(body) === kept),
          `kept ${kept}`,
        )
      },
    },
    {
      title: `${plural}: concurrent updates of different fields are all stored`,
      run: async (app) => {
        const { id } = await create(app, resource)
        for (let round = 0; round < 10; round += 1) {
          const body = freshBody(resource)
          const changes = Object.entries(body).map(([name, value]) => ({ [name]: value }))
          await Promise.all(changes.map((change) => update(app, resource, id, change)))
          assert.deepEqual(writable(resource, await find(app, resource, id)), body)
        }
      },
    },
    {
      title: `${plural}: a record deleted while it is updated stays deleted`,
      run: async (app) => {
        for (let round = 0; round < 10; round += 1) {
          await assertStaysDeleted(app, resource, round % 5)
        }
      },
    },
    {
      title: `${plural}: concurrent deletes answer 204 or 404, at least one of them 204`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const { total } = await list(app, resource)
        const replies = await Promise.all(times(8, () => remove(app, resource, id)))
        for (const reply of replies) assertStatus(reply, 204, 404)
        assert.ok(
          replies.some(({ status }) => status === 204),
          'no delete answered 204',
        )
        assert.equal((await list(app, resource)).total, total - 1)
      },
    },
  ]
}

/** Sends four updates and a delete concurrently, `earlier` updates before the delete. */
async function assertStaysDeleted(
  app: AppUnderTest,
  resource: Resource,
  earlier: number,
): Promise<void> {
  const { id } = await create(app, resource)
  const { total } = await list(app, resource)
  const updates = (count: number) => times(count, () => put(app, resource, id, freshBody(resource)))
  const before = updates(earlier)
  const removed = remove(app, resource, id)
  const replies = await Promise.all([...before, ...updates(4 - earlier)])
  assertStatus(await removed, 204)
  for (const reply of replies) assertStatus(reply, 200, 404)
  assertError(await send(app, { path: `${resource.path}/${id}` }), 404)
  assert.equal((await list(app, resource)).total, total - 1)
}

function times<Value>(count: number, make: () => Value): readonly Value[] {
  return Array.from({ length: count }, make)
}
