import type { OrderLineApi } from '../../client/order-line.api.js'
import type { Repositories } from '../../src/container.js'
import { createOrderLineBody } from '../../src/handlers/order-line.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedProduct } from './product.sample.js'

export type OrderLineRefs = Awaited<ReturnType<typeof seedOrderLineRefs>>

/** Creates the records that samples refer to. */
export async function seedOrderLineRefs(repositories: Repositories) {
  return {
    product: await seedProduct(repositories),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function orderLineSample(n: number, refs: OrderLineRefs): OrderLineApi['create'] {
  return {
    product_id: refs.product.id,
    count: 1 + n,
    day: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
  }
}

/** Returns a sample as a draft for the repository. */
export function orderLineDraft(n: number, refs: OrderLineRefs) {
  const draft = camelKeys(createOrderLineBody.parse(orderLineSample(n, refs)))
  return draft
}

/** An invalid value for each field. */
export const badOrderLineFields = {
  product_id: 1.5,
  count: 1.5,
  day: 'no such value',
}
