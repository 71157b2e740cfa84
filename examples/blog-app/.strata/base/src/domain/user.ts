export type Role = 'user' | 'admin'

export interface User {
  id: number
  /** At least 2 characters. */
  name: string
  /** In lower case. No two users have the same address. */
  email: string
  passwordHash: string
  role: Role
  /** Tokens of other versions are invalid, except `keptToken`. */
  tokenVersion: number
  /** Id of the token that changed the password. */
  keptToken: string | null
  /** Ended tokens, separated by spaces, each as `<id>:<expiry in seconds since 1970>`. */
  revokedTokens: string
  createdAt: Date
  updatedAt: Date
}

/** A token that the app issued. */
export interface Token {
  /** Undefined in tokens of earlier versions of the app. */
  id?: string | undefined
  userId: number
  version: number
  /** In seconds since 1970. */
  expiry: number
}

/** Returns the fields of a new user. */
export function newUser(fields: Pick<User, 'name' | 'email' | 'passwordHash'>, createdAt: Date) {
  return {
    ...fields,
    role: 'user' as const,
    tokenVersion: 0,
    keptToken: null,
    revokedTokens: '',
    createdAt,
    updatedAt: createdAt,
  }
}

/** Returns true if neither a log-out nor a change of the password ended the token. */
export function isValid({ id, version }: Token, user: User): boolean {
  if (version !== user.tokenVersion && (!id || id !== user.keptToken)) return false
  return !user.revokedTokens.split(' ').some((revoked) => revoked.split(':')[0] === id)
}

/** bcrypt ignores the rest of a longer password. */
export const maxPasswordBytes = 72

/** Whether bcrypt hashes the whole password. */
export function isHashable(password: string): boolean {
  return new TextEncoder().encode(password).length <= maxPasswordBytes
}
