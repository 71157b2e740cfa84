import { createPersonBody } from '../src/handlers/person.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { personSample } from './samples/person.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { personTable } from './support/tables/person.table.js'

describeRepository({
  title: 'people',
  table: personTable,
  of: (repositories) => repositories.people,
  draft: (n) => camelKeys(createPersonBody.parse(personSample(n))),
})
