import type { User } from '../src/domain/user.js'
import { createUserBody } from '../src/handlers/user.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { userSample } from './samples/user.sample.js'
import { describeRepository } from './support/repository-contract.js'

describeRepository<User>({
  title: 'users',
  of: (repositories) => repositories.users,
  draft: (n) => camelKeys(createUserBody.parse(userSample(n))),
  unique: [],
})
