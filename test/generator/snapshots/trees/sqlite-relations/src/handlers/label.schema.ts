import * as z from 'zod'
import { type Label, labelHueValues } from '../domain/label.js'
import { docOf } from '../http/crud-doc.js'
import { text } from '../http/fields.js'
import { oneOf } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  name: text({ min: 1, max: 255 }),
  hue: z.enum(labelHueValues),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createLabelBody = z.strictObject({ ...fields, hue: fields.hue.default('red') })

/** Has no defaults: absent fields stay unchanged. */
export const updateLabelBody = z.strictObject(fields).partial()

export const labelReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const labelListReply = z.strictObject({
  labels: z.array(labelReply),
  ...pageFields,
})

export const labelList = listOf('labels', {
  hue: oneOf(labelHueValues),
})

export function toWire(label: Label): z.input<typeof labelReply> {
  return {
    id: label.id,
    name: label.name,
    hue: label.hue,
    created_at: label.createdAt.toISOString(),
    updated_at: label.updatedAt.toISOString(),
  }
}

export const labelDoc = docOf({
  path: '/api/v1/labels',
  one: 'label',
  many: 'labels',
  schema: 'Label',
  create: createLabelBody,
  update: updateLabelBody,
  reply: labelReply,
  list: labelListReply,
  parameters: labelList.parameters,
  readOnly,
  statuses: { create: [], update: [], remove: [] },
})
