import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import {
  isHashable,
  isValid,
  newUser,
  normalizePassword,
  type Token,
  type User,
  withoutToken,
  withoutTokens,
} from '../domain/user.js'
import type { UserChanges, UserRepository } from '../repositories/user.repository.js'

interface Dependencies {
  users: UserRepository
  passwords: {
    hash: (password: string) => Promise<string>
    /** Without a hash, takes as long as a comparison and returns false. */
    matches: (password: string, hash: string | undefined) => Promise<boolean>
  }
  tokens: {
    issue: (user: User) => string
    /** Returns undefined if the token is expired, malformed or was not issued by `issue`. */
    verify: (token: string) => Token | undefined
  }
  now: () => Date
}

interface Registration {
  name: string
  email: string
  password: string
}

interface PasswordChange {
  current: string
  next: string
}

export interface Session {
  token: string
  user: User
}

export type AuthService = ReturnType<typeof createAuthService>

export function createAuthService({ users, passwords, tokens, now }: Dependencies) {
  function openSession(user: User): Session {
    return { token: tokens.issue(user), user }
  }

  /** Returns a valid token with its user. */
  async function identify(text: string): Promise<{ token: Token; user: User }> {
    const token = tokens.verify(text)
    const user = token && (await users.find(token.userId))
    if (!user || !isValid(token, user)) throw new AppError('unauthenticated', 'Invalid token')
    return { token, user }
  }

  /** Changes the user of a token. Starts again if another request changed the user's tokens meanwhile. */
  async function change(
    text: string,
    changesOf: (user: User, token: Token) => Promise<Partial<User>> | Partial<User>,
  ): Promise<User> {
    const { token, user } = await identify(text)
    const changes: UserChanges = { ...(await changesOf(user, token)), updatedAt: now() }
    if (await users.updateIfUnchanged(user, changes)) return { ...user, ...changes }
    return change(text, changesOf)
  }

  /** Returns the user if the password is right. An unknown user takes the same time as a wrong password. */
  async function withPassword(user: User | undefined, password: string): Promise<User> {
    const normal = normalizePassword(password)
    // Earlier versions of the app stored hashes of passwords as they were typed.
    const forms = normal === password ? [normal] : [normal, password]
    for (const form of forms) {
      const isRight = await passwords.matches(form, user?.passwordHash)
      if (user && isRight && isHashable(form)) return user
    }
    throw new AppError('unauthenticated', 'invalid credentials')
  }

  return {
    /** Throws AppError `conflict` if the e-mail address is registered, in any letter case. */
    async register({ name, email, password }: Registration): Promise<Session> {
      const passwordHash = await passwords.hash(normalizePassword(password))
      const user = newUser({ name, email: email.toLowerCase(), passwordHash }, now())
      return openSession(await users.create(user).catch(rejectRegistration))
    },

    /**
     * Throws AppError `unauthenticated`. An unknown user and a wrong password get the same message
     * after the same time.
     */
    async login({ email, password }: Omit<Registration, 'name'>): Promise<Session> {
      const user = await users.findByEmail(email.toLowerCase())
      return openSession(await withPassword(user, password))
    },

    /** Returns the user of a token. Throws AppError `unauthenticated` if the token is invalid or ended. */
    async authenticate(token: string): Promise<Caller> {
      const { id, email, role } = (await identify(token)).user
      return { id, email, role }
    },

    async find(token: string): Promise<User> {
      return (await identify(token)).user
    },

    /** Ends all tokens but the given one. Returns a new one, too. Throws AppError `unauthenticated`. */
    async changePassword(token: string, { current, next }: PasswordChange): Promise<Session> {
      const user = await change(token, async (user, kept) => {
        await withPassword(user, current)
        const passwordHash = await passwords.hash(normalizePassword(next))
        return { passwordHash, ...withoutTokens(user, kept) }
      })
      return openSession(user)
    },

    async logout(token: string): Promise<void> {
      const seconds = now().getTime() / 1000
      await change(token, (user, token) => withoutToken(user, token, seconds))
    },

    async logoutAll(token: string): Promise<void> {
      await change(token, (user) => withoutTokens(user))
    },

    /** Throws AppError `unauthenticated`, and `conflict` if records refer to the user that are no parts of the user. */
    async remove(token: string, password: string): Promise<void> {
      const { user } = await identify(token)
      await withPassword(user, password)
      await users.remove(user.id)
    },
  }
}

/** Names the e-mail address in a conflict: `email` is the only unique field of a user. */
function rejectRegistration(cause: unknown): never {
  if (!(cause instanceof AppError && cause.kind === 'conflict')) throw cause
  throw new AppError('conflict', 'email already registered', { cause })
}
