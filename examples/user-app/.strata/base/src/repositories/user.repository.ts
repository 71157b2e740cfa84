import type { User } from '../domain/user.js'
import type { Repository } from './repository.js'

export type UserRepository = Repository<User>
