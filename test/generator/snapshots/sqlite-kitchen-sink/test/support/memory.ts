import type { Repositories } from '../../src/container.js'
import type { BlogPost } from '../../src/domain/blog-post.js'
import type { Person } from '../../src/domain/person.js'
import { createMemoryRepository } from './memory-repository.js'

export function createMemoryRepositories(): Repositories {
  return {
    blogPosts: createMemoryRepository<BlogPost>(['slug']),
    people: createMemoryRepository<Person>(['email', 'token']),
  }
}
