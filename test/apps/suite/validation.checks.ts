import assert from 'node:assert/strict'
import { assertFaults, assertStatus, type JsonObject } from './answers.ts'
import type { Check } from './check.ts'
import { send } from './http.ts'
import {
  create,
  type FieldRule,
  find,
  freshBody,
  list,
  post,
  put,
  type Resource,
  recordOf,
  update,
} from './resource.ts'

const wrongEverywhere: readonly unknown[] = [null, true, false, [], ['x'], {}, { $gt: '' }]

/** Values of the wrong type, or out of it, for each kind of field. */
const wrongValues: Readonly<Record<FieldRule['kind'], readonly unknown[]>> = {
  string: [...wrongEverywhere, 0, 1, 1.5],
  email: [...wrongEverywhere, 0, 1],
  int: [...wrongEverywhere, '1', '', 'x', '0x1', 1.5, -0.5, 1e21, '٣'],
}

const goodEmails: readonly string[] = [
  'ada@example.com',
  'ada.lovelace+tag@example.co.uk',
  'a@b.io',
  'ada_l-1@sub-domain.example.org',
  "o'hara@example.com",
  `${'a'.repeat(64)}@example.com`,
]

const badEmails: readonly string[] = [
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

/** Validation: every fault at once, and no path that is not at fault. */
export function validationChecks(resource: Resource): readonly Check[] {
  const { plural, fields } = resource
  const names = fields.map(({ name }) => name)
  const ofKind = (kind: FieldRule['kind']) => fields.filter((field) => field.kind === kind)
  return [
    {
      title: `${plural}: a create without any field names every field`,
      run: async (app) => assertFaults(await post(app, resource, {}), names),
    },
    {
      title: `${plural}: each missing field is the only one named`,
      run: async (app) => {
        for (const name of names) {
          const body = { ...freshBody(resource), [name]: undefined }
          assertFaults(await post(app, resource, body), [name], `without ${name}`)
        }
      },
    },
    {
      title: `${plural}: a value of the wrong type is the only one named, in a create`,
      run: async (app) => {
        for (const { name, kind } of fields) {
          for (const value of wrongValues[kind]) {
            const reply = await post(app, resource, { ...freshBody(resource), [name]: value })
            assertFaults(reply, [name], `with ${name} ${JSON.stringify(value)}`)
          }
        }
      },
    },
    {
      title: `${plural}: a value of the wrong type is the only one named, in an update`,
      run: async (app) => {
        const { id } = await create(app, resource)
        for (const { name, kind } of fields) {
          for (const value of wrongValues[kind]) {
            const reply = await put(app, resource, id, { [name]: value })
            assertFaults(reply, [name], `with ${name} ${JSON.stringify(value)}`)
          }
        }
      },
    },
    {
      title: `${plural}: wrong, missing and unknown fields are all named at once`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const wrong = Object.fromEntries(names.map((name) => [name, []]))
        assertFaults(await post(app, resource, { ...wrong, nickname: 'x' }), [...names, 'nickname'])
        assertFaults(await put(app, resource, id, { ...wrong, 'a.b': 1 }), [...names, 'a.b'])
        const [first = ''] = names
        assertFaults(await post(app, resource, { [first]: {}, nickname: 1 }), [
          ...names,
          'nickname',
        ])
        const last = names.at(-1) ?? ''
        const reply = await put(app, resource, id, { ...freshBody(resource), [last]: {}, extra: 1 })
        assertFaults(reply, [last, 'extra'])
      },
    },
    {
      title: `${plural}: an unknown field is 400 and named, in a create and in an update`,
      run: async (app) => {
        const { id } = await create(app, resource)
        for (const name of ['nickname', 'Name', 'createdAt', '_id', '$set', 'is_admin']) {
          const body = { ...freshBody(resource), [name]: 'x' }
          assertFaults(await post(app, resource, body), [name], `with ${name}`)
          assertFaults(await put(app, resource, id, body), [name], `with ${name}`)
          assertFaults(await put(app, resource, id, { [name]: 1 }), [name], `with ${name} alone`)
        }
      },
    },
    {
      title: `${plural}: __proto__, constructor and toString are unknown fields like any other`,
      run: async (app) => {
        for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
          const known = JSON.stringify(freshBody(resource)).slice(1)
          const body = `{"${name}":{"polluted":true},${known}`
          const headers = { 'Content-Type': 'application/json' }
          const reply = await send(app, { method: 'POST', path: resource.path, headers, body })
          assertFaults(reply, [name], `with ${name}`)
        }
        await create(app, resource)
      },
    },
    {
      title: `${plural}: a body with one fault changes nothing`,
      run: async (app) => {
        const before = await create(app, resource)
        const { total } = await list(app, resource)
        for (const fault of [{ nickname: 'x' }, { [names.at(-1) ?? '']: [] }]) {
          const body = { ...freshBody(resource), ...fault }
          assertFaults(await put(app, resource, before.id, body), Object.keys(fault))
          assertFaults(await post(app, resource, body), Object.keys(fault))
        }
        assert.deepEqual(await find(app, resource, before.id), before)
        assert.equal((await list(app, resource)).total, total)
      },
    },
    {
      title: `${plural}: zero is a value, in a create and in an update`,
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
      title: `${plural}: a whole number is kept exactly or refused by name, however large`,
      run: async (app) => {
        const powers = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -1, -(2 ** 31), -(2 ** 31) - 1]
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
      title: `${plural}: a malformed e-mail is refused and named`,
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
  ]
}
