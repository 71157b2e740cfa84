import type { ProductApi } from '../../client/product.api.js'
import type { Repositories } from '../../src/container.js'
import type { Product } from '../../src/domain/product.js'
import { createProductBody } from '../../src/handlers/product.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedCategory } from './category.sample.js'
import { seedLabel } from './label.sample.js'

export type ProductRefs = Awaited<ReturnType<typeof seedProductRefs>>

/** Creates the records that samples refer to. */
export async function seedProductRefs(repositories: Repositories) {
  return {
    category: await seedCategory(repositories),
    label: await seedLabel(repositories),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function productSample(n: number, refs: ProductRefs): ProductApi['create'] {
  return {
    name: `name ${n}`,
    category_id: refs.category.id,
    price: (n / 100).toFixed(2),
    made: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
    sold_out: n % 2 === 0,
    note: `note ${n}`,
    labels: [refs.label.id],
  }
}

/** Returns a sample as a draft for the repository. */
export function productDraft(n: number, refs: ProductRefs) {
  const draft = camelKeys(createProductBody.parse(productSample(n, refs)))
  return draft
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedProduct(repositories: Repositories): Promise<Product> {
  const refs = await seedProductRefs(repositories)
  const createdAt = new Date()
  return repositories.products.create({
    ...productDraft(++lastSeed, refs),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badProductFields = {
  name: 1,
  category_id: 1.5,
  price: 'no such value',
  made: 'no such value',
  sold_out: 'neither',
  note: 1,
  labels: 'neither',
}
