import { createUserBody } from '../src/handlers/user.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { userSample } from './samples/user.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { userTable } from './support/tables/user.table.js'

describeRepository({
  title: 'users',
  table: userTable,
  of: (repositories) => repositories.users,
  draft: (n) => camelKeys(createUserBody.parse(userSample(n))),
})
