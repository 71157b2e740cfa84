import * as z from 'zod'
import type { User } from '../domain/user.js'
import { docOf } from '../http/crud-doc.js'
import { email, integer, text } from '../http/fields.js'
import { numeric, range } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  name: text({ min: 1, max: 255 }),
  email: email(),
  age: integer(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createUserBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateUserBody = z.strictObject(fields).partial()

export const userReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const userListReply = z.strictObject({
  users: z.array(userReply),
  ...pageFields,
})

export const userList = listOf('users', {
  ...range('age', numeric(integer())),
})

export function toWire(user: User): z.input<typeof userReply> {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    age: user.age,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  }
}

export const userDoc = docOf({
  path: '/api/v1/users',
  one: 'user',
  many: 'users',
  schema: 'User',
  create: createUserBody,
  update: updateUserBody,
  reply: userReply,
  list: userListReply,
  parameters: userList.parameters,
  readOnly,
  statuses: { create: [], update: [], remove: [] },
})
