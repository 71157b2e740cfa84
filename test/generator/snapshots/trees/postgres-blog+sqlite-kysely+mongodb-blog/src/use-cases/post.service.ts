import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Post, PostChanges, PostDetails, PostDraft, PostFilter } from '../domain/post.js'
import type { PostRepository } from '../repositories/post.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: PostRepository
  now: () => Date
}

export type PostService = ReturnType<typeof createPostService>

export function createPostService({ repository, now }: Dependencies) {
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role === 'admin') return
    const owner = await repository.owner(id)
    if (owner === undefined) absent()
    if (owner !== caller.id) throw new AppError('forbidden', 'only the author may change this post')
  }

  return {
    list: (query: Page & PostFilter) => repository.list(query),

    async find(id: number): Promise<PostDetails> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: PostDraft, caller: Caller): Promise<Post> {
      const createdAt = now()
      return repository.create({ ...draft, authorId: caller.id, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: PostChanges,
      caller: Caller,
      check?: Check<Post>,
    ): Promise<Post> {
      await assertOwned(id, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Post>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'post not found')
}
