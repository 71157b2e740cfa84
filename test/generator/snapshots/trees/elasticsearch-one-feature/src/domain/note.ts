import type { ValueRange } from './value-range.js'

export interface Note {
  id: number
  text: string
  code: string
  /** An exact number. */
  price: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type NoteDraft = Omit<Note, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type NoteChanges = Partial<NoteDraft>

/** Conditions of a list. Undefined matches every record. */
export interface NoteFilter {
  price?: ValueRange<string> | undefined
  search?: string | undefined
}
