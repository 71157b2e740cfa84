import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import {
  assertPublishable,
  type Post,
  type PostChanges,
  type PostDetails,
  type PostDraft,
  type PostFilter,
} from '../domain/post.js'
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

  /** Checks the stored post as part of the write: concurrent updates must not publish an incomplete post. */
  async function change(id: number, changes: PostChanges, caller: Caller, check?: Check<Post>) {
    await assertOwned(id, caller)
    const checkNext = (post: Post) => {
      check?.(post)
      const next = { ...post, ...changes }
      if (next.published) assertPublishable(next)
    }
    return (await repository.update(id, { ...changes, updatedAt: now() }, checkNext)) ?? absent()
  }

  return {
    list: (query: Page & PostFilter) => repository.list(query),

    async find(id: number): Promise<PostDetails> {
      return (await repository.read(id)) ?? absent()
    },

    async create(draft: PostDraft, caller: Caller): Promise<Post> {
      if (draft.published) assertPublishable(draft)
      const createdAt = now()
      const stamps = { createdAt, updatedAt: createdAt }
      return repository.create({ ...draft, authorId: caller.id, views: 0, ...stamps })
    },

    update: change,

    publish: (id: number, caller: Caller, check?: Check<Post>) =>
      change(id, { published: true }, caller, check),

    async remove(id: number, caller: Caller, check?: Check<Post>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'post not found')
}
