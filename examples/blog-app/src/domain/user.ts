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

/** More ended tokens than this end all tokens of the user. */
const maxRevoked = 500

type TokenState = Pick<User, 'tokenVersion' | 'keptToken' | 'revokedTokens'>

/** Returns the change of a user that ends the token. `now` is in seconds since 1970. */
export function withoutToken(user: User, { id, expiry }: Token, now: number): TokenState {
  const { tokenVersion, keptToken } = user
  const live = user.revokedTokens.split(' ').filter((each) => Number(each.split(':')[1]) > now)
  if (!id || live.length >= maxRevoked) return withoutTokens(user)
  return { tokenVersion, keptToken, revokedTokens: [...live, `${id}:${expiry}`].join(' ') }
}

/** Returns the change of a user that ends all tokens but `kept`. */
export function withoutTokens({ tokenVersion }: User, kept?: Token): TokenState {
  return { tokenVersion: tokenVersion + 1, keptToken: kept?.id ?? null, revokedTokens: '' }
}

/** bcrypt ignores the rest of a longer password. */
export const maxPasswordBytes = 72

/** Equal characters have several encodings: `ü` is one code point or two. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** Whether bcrypt hashes the whole password. */
export function isHashable(password: string): boolean {
  return new TextEncoder().encode(password).length <= maxPasswordBytes
}
