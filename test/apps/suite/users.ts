import assert from 'node:assert/strict'
import { assertFaults } from './answers.ts'
import type { Check } from './check.ts'
import type { Contract } from './contract.ts'
import { send } from './http.ts'
import { create, find, freshBody, list, type Resource } from './resource.ts'

export const users: Resource = {
  plural: 'users',
  path: '/api/v1/users',
  keys: ['id', 'name', 'email', 'age', 'created_at', 'updated_at'],
  fields: [
    { name: 'name', kind: 'string' },
    { name: 'email', kind: 'email' },
    { name: 'age', kind: 'int' },
  ],
  body: (serial) => ({
    name: `Ada ${serial}`,
    email: `ada.${serial}@example.com`,
    age: 20 + (serial % 60),
  }),
}

/** The routes of the user application, from the section "User application" of the contract. */
export const userContract: Contract = {
  routes: [
    { path: '/health', methods: ['GET'] },
    { path: '/ready', methods: ['GET'] },
    { path: '/openapi.json', methods: ['GET'] },
    { path: '/api/v1/users', methods: ['GET', 'POST'] },
    { path: '/api/v1/users/{id}', methods: ['GET', 'PUT', 'PATCH', 'DELETE'] },
  ],
  resources: [users],
}

/** Checks that only the user application has. */
export const userChecks: readonly Check[] = [
  {
    title: 'users: age filters a list by value and by range',
    run: async (app) => {
      const name = `Age ${Math.random()}`
      for (const age of [-20, 9, 10, 10, 100]) await create(app, users, { name, age })
      const agesFor = async (query: string) => {
        const { records } = await list(app, users, `${query}&sort=-id&page_size=100`)
        const ages = records.filter((record) => record.name === name).map(({ age }) => age)
        return ages.toReversed()
      }
      assert.deepEqual(await agesFor('age=10'), [10, 10])
      assert.deepEqual(await agesFor('age[gte]=10'), [10, 10, 100])
      assert.deepEqual(await agesFor('age[gt]=10'), [100])
      assert.deepEqual(await agesFor('age[lte]=9'), [-20, 9])
      assert.deepEqual(await agesFor('age[lt]=10'), [-20, 9])
      assert.deepEqual(await agesFor('age[lt]=-19'), [-20])
      assert.deepEqual(await agesFor('age%5Bgte%5D=9&age[lt]=100'), [9, 10, 10])
    },
  },
  {
    title: 'users: an invalid or unknown comparison answers 400, which names it',
    run: async (app) => {
      for (const query of ['age[gte]=abc', 'age[lt]=', 'age=1.5', 'age[gt]=1&age[gt]=1']) {
        const [name = ''] = query.split('=')
        assertFaults(await send(app, { path: `${users.path}?${query}` }), [name])
      }
      for (const name of ['age[foo]', 'age[]', 'age[equals]', 'name[gte]', 'name', 'email']) {
        assertFaults(await send(app, { path: `${users.path}?${name}=1` }), [name])
      }
    },
  },
  {
    title: 'users: two users can have the same e-mail',
    run: async (app) => {
      const { email } = freshBody(users)
      const first = await create(app, users, { email })
      const second = await create(app, users, { email })
      assert.notEqual(second.id, first.id)
      assert.equal((await find(app, users, first.id)).email, email)
      assert.equal((await find(app, users, second.id)).email, email)
    },
  },
]
