import type { User, UserDraft, UserFilter } from '../domain/user.js'
import type { Repository } from './repository.js'

export type UserRepository = Repository<User, UserDraft, UserFilter>
