import type { ValueRange } from './value-range.js'

export interface Person {
  id: number
  email: string
  /** A date, as YYYY-MM-DD. */
  born: string | null
  /** A date, as YYYY-MM-DD. */
  joined: string
  seen: Date
  locked: Date | null
  since: Date
  token: string
  device: string | null
  /** Any JSON value. */
  settings: unknown
  /** Any JSON value. */
  profile: unknown
  /** Any JSON value. */
  extra: unknown | null
  order: number
  group: string
  class: string | null
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type PersonDraft = Omit<Person, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type PersonChanges = Partial<PersonDraft>

/** Conditions of a list. Undefined matches every record. */
export interface PersonFilter {
  born?: ValueRange<string> | undefined
  joined?: ValueRange<string> | undefined
  seen?: ValueRange<Date> | undefined
  locked?: ValueRange<Date> | undefined
  since?: ValueRange<Date> | undefined
  order?: ValueRange<number> | undefined
}
