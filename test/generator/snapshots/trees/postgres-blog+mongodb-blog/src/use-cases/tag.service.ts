import { AppError } from '../domain/app-error.js'
import type { Tag, TagChanges, TagDraft } from '../domain/tag.js'
import type { Page } from '../repositories/repository.js'
import type { TagRepository } from '../repositories/tag.repository.js'

interface Dependencies {
  repository: TagRepository
  now: () => Date
}

export type TagService = ReturnType<typeof createTagService>

export function createTagService({ repository, now }: Dependencies) {
  return {
    list: (page: Page) => repository.list(page),

    async find(id: number): Promise<Tag> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: TagDraft): Promise<Tag> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: TagChanges): Promise<Tag> {
      return (await repository.update(id, { ...changes, updatedAt: now() })) ?? absent()
    },

    async remove(id: number): Promise<void> {
      if (!(await repository.remove(id))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'tag not found')
}
