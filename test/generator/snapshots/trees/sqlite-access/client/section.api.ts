/** JSON types of /api/v1/sections. An update leaves absent fields unchanged. */
export interface SectionApi {
  create: {
    report_id: number
    heading: string
  }
  update: Partial<SectionApi['create']>
  reply: {
    id: number
    report_id: number
    report: { id: number; title: string }
    heading: string
    created_at: string
    updated_at: string
  }
  list: {
    sections: SectionApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    report_id?: number
  }
}
