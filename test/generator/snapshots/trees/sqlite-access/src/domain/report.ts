import type { Section } from './section.js'

export interface Report {
  id: number
  title: string
  authorId: number
  author: { id: number; name: string }
  orderId: number | null
  order: { id: number } | null
  createdAt: Date
  updatedAt: Date
}

/** A record as `find` returns it, with its newest parts. The parts do not repeat the record. */
export interface ReportDetails extends Report {
  /** The newest sections, sorted from oldest to newest. */
  sections: Omit<Section, 'report'>[]
  /** The number of all sections. */
  sectionsTotal: number
}

/** Fields that a caller gives to create a record. */
export type ReportDraft = Omit<
  Report,
  'id' | 'createdAt' | 'updatedAt' | 'authorId' | 'author' | 'order'
>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type ReportChanges = Partial<ReportDraft>

/** Conditions of a list. Undefined matches every record. */
export interface ReportFilter {
  authorId?: number | undefined
  orderId?: number | undefined
}
