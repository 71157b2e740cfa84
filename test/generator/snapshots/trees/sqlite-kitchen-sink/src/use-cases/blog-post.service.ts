import { AppError } from '../domain/app-error.js'
import type {
  BlogPost,
  BlogPostChanges,
  BlogPostDraft,
  BlogPostFilter,
} from '../domain/blog-post.js'
import type { BlogPostRepository } from '../repositories/blog-post.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: BlogPostRepository
  now: () => Date
}

export type BlogPostService = ReturnType<typeof createBlogPostService>

export function createBlogPostService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & BlogPostFilter) => repository.list(query),

    async find(id: number): Promise<BlogPost> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: BlogPostDraft): Promise<BlogPost> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: BlogPostChanges, check?: Check<BlogPost>): Promise<BlogPost> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<BlogPost>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'blog post not found')
}
