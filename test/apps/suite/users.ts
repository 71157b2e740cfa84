import assert from 'node:assert/strict'
import type { Check } from './check.ts'
import type { Contract } from './contract.ts'
import { create, find, freshBody, type Resource } from './resource.ts'

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
