import type { CategoryApi } from '../../client/category.api.js'
import type { Repositories } from '../../src/container.js'
import type { Category } from '../../src/domain/category.js'
import { createCategoryBody } from '../../src/handlers/category.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function categorySample(n: number): CategoryApi['create'] {
  return {
    name: `name ${n}`,
    parent_id: null,
  }
}

/** Returns a sample as a draft for the repository. */
export function categoryDraft(n: number) {
  const draft = camelKeys(createCategoryBody.parse(categorySample(n)))
  return draft
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedCategory(repositories: Repositories): Promise<Category> {
  const createdAt = new Date()
  return repositories.categories.create({
    ...categoryDraft(++lastSeed),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badCategoryFields = {
  name: 1,
  parent_id: 1.5,
}
