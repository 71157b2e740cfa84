import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Country, CountryChanges, CountryDraft } from '../domain/country.js'
import type { CountryRepository } from '../repositories/country.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: CountryRepository
  now: () => Date
}

export type CountryService = ReturnType<typeof createCountryService>

export function createCountryService({ repository, now }: Dependencies) {
  function assertAdmin(caller: Caller) {
    if (caller.role !== 'admin')
      throw new AppError('forbidden', 'only an admin may change countries')
  }

  return {
    list: (page: Page) => repository.list(page),

    async find(id: number): Promise<Country> {
      return (await repository.find(id)) ?? absent()
    },

    async create(draft: CountryDraft, caller: Caller): Promise<Country> {
      assertAdmin(caller)
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: CountryChanges,
      caller: Caller,
      check?: Check<Country>,
    ): Promise<Country> {
      assertAdmin(caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Country>): Promise<void> {
      assertAdmin(caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'country not found')
}
