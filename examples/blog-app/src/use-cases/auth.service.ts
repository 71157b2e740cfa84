import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import { isHashable, isValid, newUser, type Token, type User } from '../domain/user.js'
import type { UserRepository } from '../repositories/user.repository.js'

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

export interface Registration {
  name: string
  email: string
  password: string
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

  return {
    /** Throws AppError `conflict` if the e-mail address is registered, in any letter case. */
    async register({ name, email, password }: Registration): Promise<Session> {
      const passwordHash = await passwords.hash(password)
      const user = newUser({ name, email: email.toLowerCase(), passwordHash }, now())
      return openSession(await users.create(user).catch(rejectRegistration))
    },

    /**
     * Throws AppError `unauthenticated`. An unknown user and a wrong password get the same message
     * after the same time.
     */
    async login({ email, password }: Omit<Registration, 'name'>): Promise<Session> {
      const user = await users.findByEmail(email.toLowerCase())
      const isRight = await passwords.matches(password, user?.passwordHash)
      if (user && isRight && isHashable(password)) return openSession(user)
      throw new AppError('unauthenticated', 'invalid credentials')
    },

    /** Returns the user of a token. Throws AppError `unauthenticated` if the token is invalid or ended. */
    async authenticate(text: string): Promise<Caller> {
      const token = tokens.verify(text)
      const user = token && (await users.find(token.userId))
      if (!user || !isValid(token, user)) throw new AppError('unauthenticated', 'Invalid token')
      const { id, email, role } = user
      return { id, email, role }
    },
  }
}

/** Names the e-mail address in a conflict: `email` is the only unique field of a user. */
function rejectRegistration(cause: unknown): never {
  if (!(cause instanceof AppError && cause.kind === 'conflict')) throw cause
  throw new AppError('conflict', 'email already registered', { cause })
}
