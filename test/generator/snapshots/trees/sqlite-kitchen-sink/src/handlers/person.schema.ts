import * as z from 'zod'
import type { Person } from '../domain/person.js'
import { docOf } from '../http/crud-doc.js'
import { date, dateTime, email, integer, json, text, uuid } from '../http/fields.js'
import { numeric, range } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  email: email().toLowerCase(),
  born: date().nullable(),
  joined: date(),
  seen: dateTime(),
  locked: dateTime().nullable(),
  since: dateTime(),
  token: uuid(),
  device: uuid().nullable(),
  settings: json(),
  profile: json(),
  extra: json().nullable(),
  order: integer(),
  group: text({ max: 255 }),
  class: text({ min: 2, max: 255 }).nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createPersonBody = z.strictObject({
  ...fields,
  born: fields.born.default(null),
  joined: fields.joined
    .optional()
    .transform((value) => value ?? new Date().toISOString().slice(0, 10)),
  seen: fields.seen.optional().transform((value) => value ?? new Date()),
  locked: fields.locked.default(null),
  since: fields.since.default(new Date('2026-01-31T12:00:00.000Z')),
  device: fields.device.default(null),
  settings: fields.settings.default({ theme: 'dark', tabs: [1, 2] }),
  extra: fields.extra.default(null),
  group: fields.group.default("it's"),
  class: fields.class.default(null),
})

/** Has no defaults: absent fields stay unchanged. */
export const updatePersonBody = z.strictObject(fields).partial()

export const personReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const personListReply = z.strictObject({
  people: z.array(personReply),
  ...pageFields,
})

export const personList = listOf(
  'people',
  {
    ...range('born', date()),
    ...range('joined', date()),
    ...range('seen', dateTime()),
    ...range('locked', dateTime()),
    ...range('since', dateTime()),
    ...range('order', numeric(integer())),
  },
  { email: text(), token: uuid() },
)

export function toWire(person: Person): z.input<typeof personReply> {
  return {
    id: person.id,
    email: person.email,
    born: person.born,
    joined: person.joined,
    seen: person.seen.toISOString(),
    locked: person.locked?.toISOString() ?? null,
    since: person.since.toISOString(),
    token: person.token,
    device: person.device,
    settings: person.settings,
    profile: person.profile,
    extra: person.extra,
    order: person.order,
    group: person.group,
    class: person.class,
    created_at: person.createdAt.toISOString(),
    updated_at: person.updatedAt.toISOString(),
  }
}

export const personDoc = docOf({
  path: '/api/v1/people',
  one: 'person',
  many: 'people',
  schema: 'Person',
  create: createPersonBody,
  update: updatePersonBody,
  reply: personReply,
  list: personListReply,
  parameters: personList.parameters,
  readOnly,
  statuses: { create: [409], update: [409], remove: [] },
})
