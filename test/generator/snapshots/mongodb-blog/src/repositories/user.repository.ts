import type { User } from '../domain/user.js'

/** What is asked of the store of users. Every adapter passes test/user.repository.test.ts. */
export interface UserRepository {
  find(id: number): Promise<User | undefined>
  /** By an e-mail address in lower case. */
  findByEmail(email: string): Promise<User | undefined>
  /** Throws AppError `conflict` where the e-mail address is taken. */
  create(user: Omit<User, 'id'>): Promise<User>
}
