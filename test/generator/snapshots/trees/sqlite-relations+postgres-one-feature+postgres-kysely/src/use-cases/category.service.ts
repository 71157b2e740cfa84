import { AppError } from '../domain/app-error.js'
import type {
  Category,
  CategoryChanges,
  CategoryDraft,
  CategoryFilter,
} from '../domain/category.js'
import type { CategoryRepository } from '../repositories/category.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: CategoryRepository
  now: () => Date
}

export type CategoryService = ReturnType<typeof createCategoryService>

export function createCategoryService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & CategoryFilter) => repository.list(query),

    async find(id: number): Promise<Category> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: CategoryDraft): Promise<Category> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: CategoryChanges, check?: Check<Category>): Promise<Category> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Category>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'category not found')
}
