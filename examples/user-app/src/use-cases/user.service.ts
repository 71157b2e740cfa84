import { AppError } from '../domain/app-error.js'
import type { User, UserChanges, UserDraft, UserFilter } from '../domain/user.js'
import type { Check, Page } from '../repositories/repository.js'
import type { UserRepository } from '../repositories/user.repository.js'

interface Dependencies {
  repository: UserRepository
  now: () => Date
}

export type UserService = ReturnType<typeof createUserService>

export function createUserService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & UserFilter) => repository.list(query),

    async find(id: number): Promise<User> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: UserDraft): Promise<User> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: UserChanges, check?: Check<User>): Promise<User> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<User>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'user not found')
}
