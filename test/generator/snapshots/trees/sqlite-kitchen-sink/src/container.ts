import type { Store } from './infra/store.js'
import { createBlogPostRepository } from './repositories/blog-post.repository.prisma.js'
import { createPersonRepository } from './repositories/person.repository.prisma.js'
import { createBlogPostService } from './use-cases/blog-post.service.js'
import { createPersonService } from './use-cases/person.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    blogPosts: createBlogPostRepository(store),
    people: createPersonRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    blogPosts: createBlogPostService({ repository: repositories.blogPosts, now }),
    people: createPersonService({ repository: repositories.people, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
