import assert from 'node:assert/strict'
import { assertFaults } from './answers.ts'
import type { Check } from './check.ts'
import { requiredNames, wrongValues } from './fields.ts'
import { send } from './http.ts'
import { create, find, freshBody, list, post, put, type Resource } from './resource.ts'
import { valueChecks } from './values.checks.ts'

/** Checks of validation: an error names exactly the invalid fields. */
export function validationChecks(resource: Resource): readonly Check[] {
  const { plural, fields } = resource
  const names = fields.map(({ name }) => name)
  const required = requiredNames(fields)
  return [
    {
      title: `${plural}: a create with an empty body names every required field`,
      run: async (app) => assertFaults(await post(app, resource, {}), required),
    },
    {
      title: `${plural}: a create without one field names only this field`,
      run: async (app) => {
        for (const name of required) {
          const body = { ...freshBody(resource), [name]: undefined }
          assertFaults(await post(app, resource, body), [name], `without ${name}`)
        }
      },
    },
    {
      title: `${plural}: a create with one value of the wrong type names only this field`,
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
      title: `${plural}: an update with one value of the wrong type names only this field`,
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
      title: `${plural}: invalid, missing and unknown fields are all named at once`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const wrong = Object.fromEntries(
          fields.map(({ name, kind }) => [name, wrongValues[kind][0]]),
        )
        assertFaults(await post(app, resource, { ...wrong, nickname: 'x' }), [...names, 'nickname'])
        assertFaults(await put(app, resource, id, { ...wrong, 'a.b': 1 }), [...names, 'a.b'])
        const [first = ''] = names
        const few = await post(app, resource, { [first]: {}, nickname: 1 })
        assertFaults(few, [first, ...required, 'nickname'])
        const last = names.at(-1) ?? ''
        const reply = await put(app, resource, id, { ...freshBody(resource), [last]: {}, extra: 1 })
        assertFaults(reply, [last, 'extra'])
      },
    },
    {
      title: `${plural}: an unknown field answers 400, which names it, in a create and in an update`,
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
      title: `${plural}: __proto__, constructor and toString are rejected as unknown fields`,
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
      title: `${plural}: a body with one invalid field changes nothing`,
      run: async (app) => {
        const before = await create(app, resource)
        const { total } = await list(app, resource)
        for (const fault of [{ nickname: 'x' }, { [names.at(-1) ?? '']: {} }]) {
          const body = { ...freshBody(resource), ...fault }
          assertFaults(await put(app, resource, before.id, body), Object.keys(fault))
          assertFaults(await post(app, resource, body), Object.keys(fault))
        }
        assert.deepEqual(await find(app, resource, before.id), before)
        assert.equal((await list(app, resource)).total, total)
      },
    },
    ...valueChecks(resource),
  ]
}
