import { AppError } from '../domain/app-error.js'
import type { Tag, TagChanges, TagDraft } from '../domain/tag.js'
import type { Check, Page } from '../repositories/repository.js'
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

    async update(id: number, changes: TagChanges, check?: Check<Tag>): Promise<Tag> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Tag>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'tag not found')
}
