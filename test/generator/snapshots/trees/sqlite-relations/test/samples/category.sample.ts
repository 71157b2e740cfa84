import type { Repositories } from '../../src/container.js'
import type { Category } from '../../src/domain/category.js'
import { type CategoryApi, createCategoryBody } from '../../src/handlers/category.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** A body that creates one; no two numbers share a value of a unique field. */
export function categorySample(n: number): CategoryApi['create'] {
  return {
    name: `name ${n}`,
    parent_id: null,
  }
}

/** The same as the store takes it. */
export function categoryDraft(n: number) {
  const draft = camelKeys(createCategoryBody.parse(categorySample(n)))
  return draft
}

/** Other tests count from 1. */
let seeded = 60

/** A record for others to refer to. */
export async function seedCategory(repositories: Repositories): Promise<Category> {
  const createdAt = new Date()
  return repositories.categories.create({
    ...categoryDraft(++seeded),
    createdAt,
    updatedAt: createdAt,
  })
}

/** For each field a value that is refused. */
export const badCategoryFields = {
  name: 1,
  parent_id: 1.5,
}
