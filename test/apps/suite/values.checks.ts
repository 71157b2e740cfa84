import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus, type JsonObject } from './answers.ts'
import type { Check } from './check.ts'
import type { FieldKind, FieldRule } from './fields.ts'
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
  update,
} from './resource.ts'

const absentId = 900_000_041

const goodEmails: readonly string[] = [
  'ada@example.com',
  'ada.lovelace+tag@example.co.uk',
  'a@b.io',
  'ada_l-1@sub-domain.example.org',
  "o'hara@example.com",
  `${'a'.repeat(64)}@example.com`,
]

/** Malformed e-mail addresses. */
export const badEmails: readonly string[] = [
  '',
  ' ',
  'ada',
  'ada.example.com',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'ada@ex@ample.com',
  'ada @example.com',
  'ada@exam ple.com',
  'ada@.com',
  'ada@example..com',
  'ada@example.com\n',
  'ada@example.com, eve@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\r\nBcc: eve@example.com',
]

/** Checks for the kinds of fields that the resource has. */
export function valueChecks(resource: Resource): readonly Check[] {
  const { plural } = resource
  const ofKind = (kind: FieldKind): readonly FieldRule[] =>
    resource.fields.filter((field) => field.kind === kind)
  const ask = (kind: FieldKind, checks: readonly Check[]): readonly Check[] =>
    ofKind(kind).length === 0 ? [] : checks
  return [
    ...ask('int', [
      {
        title: `${plural}: zero counts as a value in a create and in an update`,
        run: async (app) => {
          for (const { name } of ofKind('int')) {
            const record = await create(app, resource, { [name]: 0 })
            assert.equal((await find(app, resource, record.id))[name], 0)
            await update(app, resource, record.id, { [name]: 7 })
            assert.equal((await update(app, resource, record.id, { [name]: 0 }))[name], 0)
          }
        },
      },
      {
        title: `${plural}: an integer of any size is stored exactly or rejected by name`,
        run: async (app) => {
          const powers = [
            2 ** 31 - 1,
            2 ** 31,
            2 ** 32,
            2 ** 53 - 1,
            -1,
            -(2 ** 31),
            -(2 ** 31) - 1,
          ]
          for (const { name } of ofKind('int')) {
            for (const value of powers) await assertKeptOrRefused(name, value)
            const body = JSON.stringify({ ...freshBody(resource), [name]: 0 })
            const infinite = body.replace(`"${name}":0`, `"${name}":1e400`)
            const headers = { 'Content-Type': 'application/json' }
            const call = { method: 'POST', path: resource.path, headers, body: infinite }
            assertFaults(await send(app, call), [name], `with ${name} 1e400`)
          }

          async function assertKeptOrRefused(name: string, value: number): Promise<void> {
            const reply = await post(app, resource, { ...freshBody(resource), [name]: value })
            if (reply.status !== 201) return assertFaults(reply, [name], `with ${name} ${value}`)
            const record = recordOf(resource, reply)
            assert.equal((await find(app, resource, record.id))[name], value)
          }
        },
      },
    ]),
    ...ask('email', [
      {
        title: `${plural}: a well-formed e-mail is accepted`,
        run: async (app) => {
          for (const { name } of ofKind('email')) {
            for (const email of goodEmails) {
              const { id } = await create(app, resource, { [name]: email })
              assert.equal((await find(app, resource, id))[name], email)
              await update(app, resource, id, { [name]: freshBody(resource)[name] })
            }
            const body: JsonObject = { ...freshBody(resource), [name]: 'ADA@Example.COM' }
            assertStatus(await post(app, resource, body), 201)
          }
        },
      },
      {
        title: `${plural}: a malformed e-mail is rejected and named`,
        run: async (app) => {
          const { id } = await create(app, resource)
          for (const { name } of ofKind('email')) {
            for (const email of badEmails) {
              const said = `with ${JSON.stringify(email)}`
              const body = { ...freshBody(resource), [name]: email }
              assertFaults(await post(app, resource, body), [name], said)
              assertFaults(await put(app, resource, id, { [name]: email }), [name], said)
            }
          }
        },
      },
    ]),
    ...ask('bool', [
      {
        title: `${plural}: false counts as a value in a create and in an update`,
        run: async (app) => {
          for (const { name } of ofKind('bool')) {
            const record = await create(app, resource, { [name]: false })
            assert.equal(record[name], false)
            assert.equal((await update(app, resource, record.id, { [name]: true }))[name], true)
            assert.equal((await find(app, resource, record.id))[name], true)
            assert.equal((await update(app, resource, record.id, { [name]: false }))[name], false)
            assert.equal((await find(app, resource, record.id))[name], false)
          }
        },
      },
    ]),
    ...ask('reference', [
      {
        title: `${plural}: a dangling reference answers 404 and changes nothing`,
        run: async (app) => {
          const before = await create(app, resource)
          const { total } = await list(app, resource)
          for (const { name } of ofKind('reference')) {
            for (const id of [absentId, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1]) {
              // Values that no store holds may be out of range.
              const statuses = id < 2 ** 31 ? [404] : [404, 400]
              const body = { ...freshBody(resource), [name]: id }
              assertError(await post(app, resource, body), ...statuses)
              assertError(await put(app, resource, before.id, body), ...statuses)
              assertError(await put(app, resource, before.id, { [name]: id }), ...statuses)
            }
          }
          assert.deepEqual(await find(app, resource, before.id), before)
          assert.equal((await list(app, resource)).total, total)
        },
      },
    ]),
  ]
}
