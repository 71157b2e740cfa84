import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus, instantOf, type JsonObject } from './answers.ts'
import type { Check } from './check.ts'
import { requiredNames } from './fields.ts'
import { send } from './http.ts'
import {
  create,
  find,
  freshBody,
  list,
  post,
  put,
  type Resource,
  recordOf,
  remove,
  update,
  writable,
} from './resource.ts'

const clockSkewMs = 60_000

/** Checks of create, read, update, delete and managed fields. */
export function crudChecks(resource: Resource): readonly Check[] {
  const { plural } = resource
  return [
    {
      title: `${plural}: a create answers 201 with the record`,
      run: async (app) => {
        const body = freshBody(resource)
        const reply = await post(app, resource, body)
        assertStatus(reply, 201)
        assert.deepEqual(writable(resource, recordOf(resource, reply)), body)
      },
    },
    {
      title: `${plural}: a create names the path of the record in Location`,
      run: async (app) => {
        const reply = await post(app, resource, freshBody(resource))
        const { id } = recordOf(resource, reply)
        const location = new URL(String(reply.headers.location), app.baseUrl)
        assert.equal(location.href, new URL(`${resource.path}/${id}`, app.baseUrl).href)
      },
    },
    {
      title: `${plural}: a created record reads back the same from its path and the list`,
      run: async (app) => {
        const record = await create(app, resource)
        assert.deepEqual(await find(app, resource, record.id), record)
        assert.deepEqual((await list(app, resource)).records[0], record)
      },
    },
    {
      title: `${plural}: the timestamps of a new record are the current time`,
      run: async (app) => {
        const record = await create(app, resource)
        for (const key of ['created_at', 'updated_at']) {
          const age = Date.now() - instantOf(record[key], key)
          assert.ok(Math.abs(age) < clockSkewMs, `${key} is ${age} ms old`)
        }
      },
    },
    {
      title: `${plural}: timestamps are exact to the millisecond`,
      run: async (app) => {
        for (let turn = 0; turn < 200; turn += 1) {
          const { created_at } = await create(app, resource)
          if (!String(created_at).endsWith('.000Z')) return
        }
        assert.fail('every created_at is a whole second')
      },
    },
    {
      title: `${plural}: an update of one field answers 200 with the record and keeps the other fields`,
      run: async (app) => {
        const before = await create(app, resource)
        let expected: JsonObject = writable(resource, before)
        for (const { name } of resource.fields) {
          const change = { [name]: freshBody(resource)[name] }
          const after = await update(app, resource, before.id, change)
          expected = { ...expected, ...change }
          assert.deepEqual(writable(resource, after), expected)
          assert.equal(after.id, before.id)
          assert.deepEqual(await find(app, resource, before.id), after)
        }
      },
    },
    {
      title: `${plural}: PATCH changes the sent fields and keeps the others, like PUT`,
      run: async (app) => {
        const before = await create(app, resource)
        const path = `${resource.path}/${before.id}`
        let expected: JsonObject = writable(resource, before)
        for (const { name } of resource.fields) {
          const json = { [name]: freshBody(resource)[name] }
          const reply = await send(app, { method: 'PATCH', path, json })
          assertStatus(reply, 200)
          expected = { ...expected, ...json }
          assert.deepEqual(writable(resource, recordOf(resource, reply)), expected)
          assert.deepEqual(writable(resource, await find(app, resource, before.id)), expected)
        }
        assertError(await send(app, { method: 'PATCH', path, json: {} }), 400)
        assertFaults(await send(app, { method: 'PATCH', path, json: { nickname: 1 } }), [
          'nickname',
        ])
      },
    },
    {
      title: `${plural}: an update changes no other record`,
      run: async (app) => {
        const [one, two] = [await create(app, resource), await create(app, resource)]
        await update(app, resource, one.id, freshBody(resource))
        assert.deepEqual(await find(app, resource, two.id), two)
      },
    },
    {
      title: `${plural}: an update without fields answers 400`,
      run: async (app) => {
        const record = await create(app, resource)
        assertError(await put(app, resource, record.id, {}), 400)
        assertError(await put(app, resource, record.id, { id: record.id }), 400)
        assert.deepEqual(await find(app, resource, record.id), record)
      },
    },
    {
      title: `${plural}: a record can be sent back as it was read, in a create and in an update`,
      run: async (app) => {
        const read = await find(app, resource, (await create(app, resource)).id)
        const updated = await update(app, resource, read.id, read)
        assert.deepEqual(writable(resource, updated), writable(resource, read))
        const sent: JsonObject = { ...read, ...uniqueOf(resource, freshBody(resource)) }
        const reply = await post(app, resource, sent)
        assertStatus(reply, 201)
        const copy = recordOf(resource, reply)
        assert.notEqual(copy.id, read.id)
        assert.deepEqual(writable(resource, copy), writable(resource, sent))
      },
    },
    {
      title: `${plural}: id, created_at and updated_at in a body are ignored`,
      run: async (app) => {
        const managed = { id: 900_000_007, created_at: '2001-01-01T00:00:00.000Z' }
        const sent = { ...managed, updated_at: '2001-01-01T00:00:00.000Z' }
        const record = await create(app, resource, sent)
        const updated = await update(app, resource, record.id, { ...freshBody(resource), ...sent })
        for (const each of [record, updated]) {
          assert.notEqual(each.id, sent.id)
          assert.notEqual(each.created_at, sent.created_at)
          assert.notEqual(each.updated_at, sent.updated_at)
        }
        assert.equal(updated.id, record.id)
        assertError(await put(app, resource, sent.id, freshBody(resource)), 404)
      },
    },
    {
      title: `${plural}: invalid values of read-only fields do not change the outcome`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const wrong = { id: 'x', created_at: 'yesterday', updated_at: null }
        await update(app, resource, id, { ...freshBody(resource), ...wrong })
        await create(app, resource, wrong)
        const all = requiredNames(resource.fields)
        assertFaults(await post(app, resource, wrong), all, 'with read-only fields alone')
      },
    },
    {
      title: `${plural}: an update advances updated_at and keeps created_at`,
      run: async (app) => {
        const before = await create(app, resource)
        const start = instantOf(before.updated_at, 'updated_at')
        let after = before
        for (let turn = 0; turn < 200 && after.updated_at === before.updated_at; turn += 1) {
          after = await update(app, resource, before.id, freshBody(resource))
        }
        assert.ok(instantOf(after.updated_at, 'updated_at') > start, 'updated_at does not move on')
        assert.equal(after.created_at, before.created_at)
        const read = await find(app, resource, before.id)
        assert.equal(read.created_at, before.created_at)
        assert.equal(read.updated_at, after.updated_at)
      },
    },
    {
      title: `${plural}: a deleted record is gone from its path and from the list`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const before = await list(app, resource)
        const reply = await remove(app, resource, id)
        assertStatus(reply, 204)
        assert.equal(reply.text, '')
        const after = await list(app, resource)
        assert.equal(after.total, before.total - 1)
        assert.ok(!after.records.some((record) => record.id === id), 'the list still has it')
        assertError(await send(app, { path: `${resource.path}/${id}` }), 404)
        assertError(await put(app, resource, id, freshBody(resource)), 404)
        assertError(await remove(app, resource, id), 404)
        assert.equal((await list(app, resource)).total, before.total - 1)
      },
    },
    {
      // A client that kept the id would read or change the record of another user.
      title: `${plural}: the id of a deleted record is not reused`,
      run: async (app) => {
        const { id } = await create(app, resource)
        assertStatus(await remove(app, resource, id), 204)
        assert.notEqual((await create(app, resource)).id, id)
        assertError(await send(app, { path: `${resource.path}/${id}` }), 404)
      },
    },
    {
      title: `${plural}: a delete removes one record and no other`,
      run: async (app) => {
        const kept = await create(app, resource)
        const gone = await create(app, resource)
        assertStatus(await remove(app, resource, gone.id), 204)
        assert.deepEqual(await find(app, resource, kept.id), kept)
      },
    },
    {
      title: `${plural}: updating or deleting an absent record answers 404 and creates nothing`,
      run: async (app) => {
        const { total } = await list(app, resource)
        assertError(await put(app, resource, 900_000_003, freshBody(resource)), 404)
        assertError(await remove(app, resource, 900_000_003), 404)
        assert.equal((await list(app, resource)).total, total)
      },
    },
  ]
}

/** Returns the fields of a body that must be unique. */
function uniqueOf({ unique = [] }: Resource, body: JsonObject): JsonObject {
  return Object.fromEntries(unique.map((name) => [name, body[name]]))
}
