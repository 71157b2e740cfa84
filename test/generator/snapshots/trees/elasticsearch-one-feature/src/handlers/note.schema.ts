import * as z from 'zod'
import type { Note } from '../domain/note.js'
import { docOf } from '../http/crud-doc.js'
import { decimal, text } from '../http/fields.js'
import { phrase, range } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  text: text({ min: 1, max: 255 }),
  code: text({ min: 1, max: 255 }),
  price: decimal({ precision: 8, scale: 2 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createNoteBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateNoteBody = z.strictObject(fields).partial()

export const noteReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  price: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const noteListReply = z.strictObject({
  notes: z.array(noteReply),
  ...pageFields,
})

export const noteList = listOf(
  'notes',
  {
    ...range('price', decimal({ precision: 8, scale: 2 })),
    search: phrase(),
  },
  { code: text() },
)

export function toWire(note: Note): z.input<typeof noteReply> {
  return {
    id: note.id,
    text: note.text,
    code: note.code,
    price: note.price,
    created_at: note.createdAt.toISOString(),
    updated_at: note.updatedAt.toISOString(),
  }
}

export const noteDoc = docOf({
  path: '/api/v1/notes',
  one: 'note',
  many: 'notes',
  schema: 'Note',
  create: createNoteBody,
  update: updateNoteBody,
  reply: noteReply,
  list: noteListReply,
  parameters: noteList.parameters,
  readOnly,
  statuses: { create: [409], update: [409], remove: [] },
})
