import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import { isWithinHash, type User } from '../domain/user.js'
import type { UserRepository } from '../repositories/user.repository.js'

interface Dependencies {
  users: UserRepository
  passwords: {
    hash: (password: string) => Promise<string>
    /** False, after the same time, where there is no hash. */
    matches: (password: string, hash: string | undefined) => Promise<boolean>
  }
  tokens: {
    issue: (caller: Caller) => string
    /** Undefined for anything but a token that was issued here and has not expired. */
    verify: (token: string) => Caller | undefined
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
  function open(user: User): Session {
    return { token: tokens.issue({ id: user.id, email: user.email }), user }
  }

  return {
    /** Throws AppError `conflict` for an e-mail address that is in use, in any case of its letters. */
    async register({ name, email, password }: Registration): Promise<Session> {
      const passwordHash = await passwords.hash(password)
      const createdAt = now()
      const user = {
        name,
        email: email.toLowerCase(),
        passwordHash,
        createdAt,
        updatedAt: createdAt,
      }
      return open(await users.create(user).catch(refuse))
    },

    /** Throws AppError `unauthenticated`, the same and as late for an unknown user as for a wrong password. */
    async login({ email, password }: Omit<Registration, 'name'>): Promise<Session> {
      const user = await users.findByEmail(email.toLowerCase())
      const isRight = await passwords.matches(password, user?.passwordHash)
      if (user && isRight && isWithinHash(password)) return open(user)
      throw new AppError('unauthenticated', 'invalid credentials')
    },

    /** Who a token speaks for; undefined where it is not valid. */
    identify: (token: string): Caller | undefined => tokens.verify(token),
  }
}

/** The e-mail address is all that can be taken. */
function refuse(cause: unknown): never {
  if (!(cause instanceof AppError && cause.kind === 'conflict')) throw cause
  throw new AppError('conflict', 'email already registered', { cause })
}
