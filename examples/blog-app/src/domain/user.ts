export interface User {
  id: number
  /** At least 2 characters. */
  name: string
  /** In lower case. No two users have the same address. */
  email: string
  passwordHash: string
  createdAt: Date
  updatedAt: Date
}

/** bcrypt ignores the rest of a longer password. */
export const maxPasswordBytes = 72

/** Whether bcrypt hashes the whole password. */
export function isHashable(password: string): boolean {
  return new TextEncoder().encode(password).length <= maxPasswordBytes
}
