import type { SectionApi } from './section.api.js'

/** JSON types of /api/v1/reports. An update leaves absent fields unchanged. */
export interface ReportApi {
  create: {
    title: string
    order_id?: number | null
  }
  update: Partial<ReportApi['create']>
  reply: {
    id: number
    title: string
    author_id: number
    author: { id: number; name: string }
    order_id: number | null
    order: { id: number } | null
    created_at: string
    updated_at: string
  }
  /** The record with its parts, as `find` returns it. */
  details: ReportApi['reply'] & {
    sections: Omit<SectionApi['reply'], 'report'>[]
    sections_total: number
  }
  list: {
    reports: ReportApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    author_id?: number
    order_id?: number
  }
}
