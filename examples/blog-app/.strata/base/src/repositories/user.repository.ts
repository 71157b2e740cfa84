import type { User } from '../domain/user.js'

export type UserChanges = Partial<Omit<User, 'id'>> & Pick<User, 'updatedAt'>

/** The port between use-cases and the store of users. Every adapter passes test/user.repository.test.ts. */
export interface UserRepository {
  find(id: number): Promise<User | undefined>
  /** Needs the e-mail address in lower case. */
  findByEmail(email: string): Promise<User | undefined>
  /** Throws AppError `conflict` if the e-mail address is taken. */
  create(user: Omit<User, 'id'>): Promise<User>
  /** Changes a user whose tokens are as in `user`. Returns false if another request changed or removed the user. */
  updateIfUnchanged(user: User, changes: UserChanges): Promise<boolean>
  /** Removes a user with all parts. Throws AppError `conflict` if other records refer to the user. */
  remove(id: number): Promise<boolean>
}
