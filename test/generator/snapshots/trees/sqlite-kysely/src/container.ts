import type { Passwords } from './infra/passwords.js'
import type { Store } from './infra/store.js'
import type { Tokens } from './infra/tokens.js'
import type { Uploads } from './infra/uploads.js'
import { createCommentRepository } from './repositories/comment.repository.kysely.js'
import { createPostRepository } from './repositories/post.repository.kysely.js'
import { createTagRepository } from './repositories/tag.repository.kysely.js'
import { createUserRepository } from './repositories/user.repository.kysely.js'
import { createAuthService } from './use-cases/auth.service.js'
import { createCommentService } from './use-cases/comment.service.js'
import { createPostService } from './use-cases/post.service.js'
import { createTagService } from './use-cases/tag.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    users: createUserRepository(store),
    tags: createTagRepository(store),
    posts: createPostRepository(store),
    comments: createCommentRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Dependencies of the use-cases besides repositories. */
interface Tools {
  passwords: Passwords
  tokens: Tokens
  uploads: Uploads
}

/** Creates the use-cases. `now` is the clock. */
export function createContainer(
  repositories: Repositories,
  { passwords, tokens, uploads }: Tools,
  now = () => new Date(),
) {
  return {
    auth: createAuthService({ users: repositories.users, passwords, tokens, now }),
    uploads,
    tags: createTagService({ repository: repositories.tags, now }),
    posts: createPostService({ repository: repositories.posts, now }),
    comments: createCommentService({ repository: repositories.comments, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
