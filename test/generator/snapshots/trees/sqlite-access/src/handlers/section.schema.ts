import * as z from 'zod'
import type { Section } from '../domain/section.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  report_id: unsigned({ min: 1 }),
  heading: text({ min: 1, max: 255 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'report']

export const createSectionBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateSectionBody = z.strictObject(fields).partial()

export const sectionReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  report: z
    .strictObject({ id: z.int().positive(), title: z.string() })
    .register(components, { id: 'ReportSummary' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const sectionListReply = z.strictObject({
  sections: z.array(sectionReply),
  ...pageFields,
})

export const sectionList = listOf(
  'sections',
  {
    report_id: recordId(),
  },
  { report_id: unsigned() },
)

export function toWire(section: Section): z.input<typeof sectionReply> {
  return {
    id: section.id,
    report_id: section.reportId,
    report: section.report,
    heading: section.heading,
    created_at: section.createdAt.toISOString(),
    updated_at: section.updatedAt.toISOString(),
  }
}

export const sectionDoc = docOf({
  path: '/api/v1/sections',
  one: 'section',
  many: 'sections',
  schema: 'Section',
  create: createSectionBody,
  update: updateSectionBody,
  reply: sectionReply,
  list: sectionListReply,
  parameters: sectionList.parameters,
  readOnly,
  protect: 'write',
  statuses: { create: [403, 404], update: [403], remove: [403] },
})
