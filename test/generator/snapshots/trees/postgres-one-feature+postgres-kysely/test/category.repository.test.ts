import { createCategoryBody } from '../src/handlers/category.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { categorySample } from './samples/category.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { categoryTable } from './support/tables/category.table.js'

describeRepository({
  title: 'categories',
  table: categoryTable,
  of: (repositories) => repositories.categories,
  draft: (n) => camelKeys(createCategoryBody.parse(categorySample(n))),
})
