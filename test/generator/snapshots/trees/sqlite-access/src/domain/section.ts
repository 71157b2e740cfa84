export interface Section {
  id: number
  reportId: number
  report: { id: number; title: string }
  heading: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type SectionDraft = Omit<Section, 'id' | 'createdAt' | 'updatedAt' | 'report'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type SectionChanges = Partial<SectionDraft>

/** Conditions of a list. Undefined matches every record. */
export interface SectionFilter {
  reportId?: number | undefined
}
