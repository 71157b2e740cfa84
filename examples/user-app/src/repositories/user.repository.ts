import type { User } from '../domain/user.js'
import type { Repository } from './repository.js'

export interface UserRepository extends Repository<User> {}
