import { AppError } from '../domain/app-error.js'
import type { Person, PersonChanges, PersonDraft, PersonFilter } from '../domain/person.js'
import type { PersonRepository } from '../repositories/person.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: PersonRepository
  now: () => Date
}

export type PersonService = ReturnType<typeof createPersonService>

export function createPersonService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & PersonFilter) => repository.list(query),

    async find(id: number): Promise<Person> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: PersonDraft): Promise<Person> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: PersonChanges, check?: Check<Person>): Promise<Person> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Person>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'person not found')
}
