import type { Person } from '../src/domain/person.js'
import { createPersonBody } from '../src/handlers/person.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { personSample } from './samples/person.sample.js'
import { describeRepository } from './support/repository-contract.js'

describeRepository<Person>({
  title: 'people',
  of: (repositories) => repositories.people,
  draft: (n) => camelKeys(createPersonBody.parse(personSample(n))),
  unique: ['email', 'token'],
})
