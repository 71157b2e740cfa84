import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Comment, CommentChanges, CommentDraft, CommentFilter } from '../domain/comment.js'
import type { CommentRepository } from '../repositories/comment.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: CommentRepository
  now: () => Date
}

export type CommentService = ReturnType<typeof createCommentService>

export function createCommentService({ repository, now }: Dependencies) {
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role === 'admin') return
    const owner = await repository.owner(id)
    if (owner === undefined) absent()
    if (owner !== caller.id)
      throw new AppError('forbidden', 'only the author may change this comment')
  }

  return {
    list: (query: Page & CommentFilter) => repository.list(query),

    async find(id: number): Promise<Comment> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: CommentDraft, caller: Caller): Promise<Comment> {
      const createdAt = now()
      return repository.create({ ...draft, authorId: caller.id, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: CommentChanges,
      caller: Caller,
      check?: Check<Comment>,
    ): Promise<Comment> {
      await assertOwned(id, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Comment>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'comment not found')
}
