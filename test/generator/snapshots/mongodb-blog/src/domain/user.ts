export interface User {
  id: number
  /** At least 2 characters. */
  name: string
  /** In lower case: no two users share one. */
  email: string
  passwordHash: string
  createdAt: Date
  updatedAt: Date
}

/** bcrypt reads this much of a password; what came after would not count. */
export const maxPasswordBytes = 72

/** Whether all of a password counts. */
export function isWithinHash(password: string): boolean {
  return new TextEncoder().encode(password).length <= maxPasswordBytes
}
