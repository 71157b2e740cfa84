import type { Person } from '../domain/person.js'
import type { Repository } from './repository.js'

export type PersonRepository = Repository<Person>
