import { AppError } from '../domain/app-error.js'
import type { Label, LabelChanges, LabelDraft, LabelFilter } from '../domain/label.js'
import type { LabelRepository } from '../repositories/label.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: LabelRepository
  now: () => Date
}

export type LabelService = ReturnType<typeof createLabelService>

export function createLabelService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & LabelFilter) => repository.list(query),

    async find(id: number): Promise<Label> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: LabelDraft): Promise<Label> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: LabelChanges, check?: Check<Label>): Promise<Label> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Label>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'label not found')
}
