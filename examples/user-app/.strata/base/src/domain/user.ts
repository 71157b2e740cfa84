import type { ValueRange } from './value-range.js'

export interface User {
  id: number
  name: string
  email: string
  age: number
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type UserDraft = Omit<User, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type UserChanges = Partial<UserDraft>

/** Conditions of a list. Undefined matches every record. */
export interface UserFilter {
  age?: ValueRange<number> | undefined
}
