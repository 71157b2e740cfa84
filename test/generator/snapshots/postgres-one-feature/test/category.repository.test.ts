import type { Category } from '../src/domain/category.js'
import { createCategoryBody } from '../src/handlers/category.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { categorySample } from './samples/category.sample.js'
import { describeRepository } from './support/repository-contract.js'

describeRepository<Category>({
  title: 'categories',
  of: (repositories) => repositories.categories,
  draft: (n) => camelKeys(createCategoryBody.parse(categorySample(n))),
  unique: ['name'],
})
