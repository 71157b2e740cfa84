import type { User } from '../domain/user.js'

/** The port between use-cases and the store of users. Every adapter passes test/user.repository.test.ts. */
export interface UserRepository {
  find(id: number): Promise<User | undefined>
  /** Needs the e-mail address in lower case. */
  findByEmail(email: string): Promise<User | undefined>
  /** Throws AppError `conflict` if the e-mail address is taken. */
  create(user: Omit<User, 'id'>): Promise<User>
}
