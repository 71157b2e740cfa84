import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertError, assertStatus } from './answers.ts'
import { send } from './http.ts'
import { type ProcessCheck, withApp } from './process.ts'
import { create, find, freshBody, list, post, type Resource, update } from './resource.ts'

/** Longer than a request takes to arrive, shorter than the lock timeout of a store (ms). */
const heldMs = 500

/** Checks of records across processes. */
export function storageChecks(resource: Resource): readonly ProcessCheck[] {
  return [
    {
      title: 'a restart keeps the records and continues their ids',
      run: async ({ boot, freshDatabase }) => {
        const DATABASE_URL = await freshDatabase()
        const before = await withApp(boot({ DATABASE_URL }), async (app) => {
          for (let turn = 0; turn < 5; turn += 1) await create(app, resource)
          return list(app, resource)
        })
        await withApp(boot({ DATABASE_URL }), async (app) => {
          assert.deepEqual(await list(app, resource), before)
          const { id } = await create(app, resource)
          assert.ok(!before.records.some((record) => record.id === id), `the id ${id} came twice`)
        })
      },
    },
    {
      title: 'acknowledged writes survive kill -9',
      run: async ({ boot, freshDatabase }) => {
        const DATABASE_URL = await freshDatabase()
        const before = await withApp(boot({ DATABASE_URL }), async (app) => {
          for (let turn = 0; turn < 3; turn += 1) await create(app, resource)
          const page = await list(app, resource)
          await app.kill()
          return page
        })
        const after = await withApp(boot({ DATABASE_URL }), (app) => list(app, resource))
        assert.deepEqual(after, before)
      },
    },
  ]
}

/** Two processes on one database; only for stores that several processes can open. */
export function sharedStoreCheck(resource: Resource): ProcessCheck {
  return {
    title: 'two processes on one database serve the same records and write concurrently',
    run: async ({ boot, freshDatabase }) => {
      const DATABASE_URL = await freshDatabase()
      await withApp(boot({ DATABASE_URL }), async (old) => {
        const { id } = await create(old, resource)
        await withApp(boot({ DATABASE_URL }), async (young) => {
          assert.deepEqual(await list(young, resource), await list(old, resource))
          const writers = Array.from({ length: 60 }, (_, turn) => (turn % 2 === 0 ? old : young))
          const made = await Promise.all(writers.map((app) => create(app, resource)))
          assert.equal(new Set(made.map((record) => record.id)).size, made.length)
          await find(old, resource, id)
          const updated = await update(young, resource, id, freshBody(resource))
          assert.deepEqual(await find(old, resource, id), updated)
          for (const app of [old, young]) assert.equal((await list(app, resource)).total, 61)
        })
      })
    },
  }
}

/** `holdWrites` blocks writes of other processes until its result is called. */
export function storeWaitCheck(
  resource: Resource,
  holdWrites: (databaseUrl: string) => Promise<() => Promise<void>>,
): ProcessCheck {
  return {
    title: 'a write waits for the write of another process',
    run: async ({ boot, freshDatabase }) => {
      const DATABASE_URL = await freshDatabase()
      await withApp(boot({ DATABASE_URL }), async (app) => {
        const { id } = await create(app, resource)
        const release = await holdWrites(DATABASE_URL)
        const held = pause(heldMs).then(release)
        await update(app, resource, id, freshBody(resource))
        await held
      })
    },
  }
}

/** `breakDatabase` makes every query of the resource fail while the app has the database open. */
export function storeFailureCheck(
  resource: Resource,
  breakDatabase: (databaseUrl: string) => Promise<void>,
): ProcessCheck {
  const { path } = resource
  return {
    title: 'a store failure answers 500 or 503 without details, and the process continues',
    run: async ({ boot, freshDatabase }) => {
      const DATABASE_URL = await freshDatabase()
      await withApp(boot({ DATABASE_URL }), async (app) => {
        const { id } = await create(app, resource)
        await breakDatabase(DATABASE_URL)
        const replies = [
          await post(app, resource, freshBody(resource)),
          await send(app, { path }),
          await send(app, { path: `${path}/${id}` }),
        ]
        for (const reply of replies) {
          assertError(reply, 500, 503)
          assert.doesNotMatch(
            reply.text,
            /sql|prisma|table|column|select|insert|:\/\//i,
            reply.call,
          )
        }
        assertStatus(await send(app, { path: '/health' }), 200)
      })
    },
  }
}
