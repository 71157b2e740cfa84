import type {
  Report,
  ReportDetails,
  ReportDraft,
  ReportFilter,
} from '../../../src/domain/report.js'
import type { TableOf } from '../memory-tables.js'

/** Describes reports for the in-memory store. */
export const reportTable: TableOf<
  Report,
  ReportDraft & Pick<Report, 'authorId'>,
  ReportFilter,
  ReportDetails
> = {
  name: 'reports',
  owner: ['authorId'],
  references: [
    { key: 'authorId', as: 'author', label: 'name', table: 'users', words: 'user', cascade: false },
    { key: 'orderId', as: 'order', table: 'orders', words: 'order', cascade: false },
  ],
  children: [{ field: 'sections', table: 'sections', key: 'reportId', whole: 'report' }],
  filters: ['authorId', 'orderId'],
  sorts: ['authorId', 'orderId'],
  nullable: ['orderId'],
}
