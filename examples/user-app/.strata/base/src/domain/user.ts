export interface User {
  id: number
  name: string
  email: string
  age: number
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type UserDraft = Omit<User, 'id' | 'createdAt' | 'updatedAt'>

/** What a caller may change; a field that is left out stays as it is. */
export type UserChanges = Partial<UserDraft>
