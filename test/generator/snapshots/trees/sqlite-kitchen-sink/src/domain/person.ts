export interface Person {
  id: number
  email: string
  /** A day, as YYYY-MM-DD. */
  born: string | null
  /** A day, as YYYY-MM-DD. */
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

/** What a caller gives to make one. */
export type PersonDraft = Omit<Person, 'id' | 'createdAt' | 'updatedAt'>

/** What a caller may change; a field that is left out stays as it is. */
export type PersonChanges = Partial<PersonDraft>
