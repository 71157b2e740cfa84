import * as z from 'zod'
import type { Report, ReportDetails } from '../domain/report.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'
import { sectionReply, toWire as sectionToWire } from './section.schema.js'

const fields = {
  title: text({ min: 1, max: 255 }),
  order_id: unsigned({ min: 1 }).nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = [
  'id',
  'created_at',
  'updated_at',
  'author_id',
  'author',
  'order',
  'sections',
  'sections_total',
]

export const createReportBody = z.strictObject({
  ...fields,
  order_id: fields.order_id.default(null),
})

/** Has no defaults: absent fields stay unchanged. */
export const updateReportBody = z.strictObject(fields).partial()

export const reportReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  author_id: z.int().positive(),
  author: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'UserSummary' }),
  order: z
    .strictObject({ id: z.int().positive() })
    .register(components, { id: 'OrderReference' })
    .nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const replyWithParts = reportReply.extend({
  sections: z.array(sectionReply.omit({ report: true })),
  sections_total: z.int(),
})

export const reportListReply = z.strictObject({
  reports: z.array(reportReply),
  ...pageFields,
})

export const reportList = listOf(
  'reports',
  {
    author_id: recordId(),
    order_id: recordId(),
  },
  { author_id: unsigned(), order_id: unsigned().nullable() },
)

export function toWire(report: Report): z.input<typeof reportReply> {
  return {
    id: report.id,
    title: report.title,
    author_id: report.authorId,
    author: report.author,
    order_id: report.orderId,
    order: report.order,
    created_at: report.createdAt.toISOString(),
    updated_at: report.updatedAt.toISOString(),
  }
}

export function toWireWithParts(report: ReportDetails): z.input<typeof replyWithParts> {
  return {
    ...toWire(report),
    sections: report.sections.map((part) => {
      const { report: _report, ...reply } = sectionToWire({ ...part, report })
      return reply
    }),
    sections_total: report.sectionsTotal,
  }
}

export const reportDoc = docOf({
  path: '/api/v1/reports',
  one: 'report',
  many: 'reports',
  schema: 'Report',
  create: createReportBody,
  update: updateReportBody,
  reply: reportReply,
  list: reportListReply,
  parameters: reportList.parameters,
  readOnly,
  details: replyWithParts,
  protect: 'write',
  statuses: { create: [404], update: [403], remove: [403] },
})
