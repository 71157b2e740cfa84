import type { Person, PersonDraft, PersonFilter } from '../domain/person.js'
import type { Repository } from './repository.js'

export type PersonRepository = Repository<Person, PersonDraft, PersonFilter>
