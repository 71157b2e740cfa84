import type { Repositories } from '../../src/container.js'
import { createOrderLineBody, type OrderLineApi } from '../../src/handlers/order-line.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedProduct } from './product.sample.js'

export type OrderLineRefs = Awaited<ReturnType<typeof seedOrderLineRefs>>

/** The records that samples refer to. */
export async function seedOrderLineRefs(repositories: Repositories) {
  return {
    product: await seedProduct(repositories),
  }
}

/** A body that creates one; no two numbers share a value of a unique field. */
export function orderLineSample(n: number, refs: OrderLineRefs): OrderLineApi['create'] {
  return {
    product_id: refs.product.id,
    count: 1 + n,
    day: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
  }
}

/** The same as the store takes it. */
export function orderLineDraft(n: number, refs: OrderLineRefs) {
  const draft = camelKeys(createOrderLineBody.parse(orderLineSample(n, refs)))
  return draft
}

/** For each field a value that is refused. */
export const badOrderLineFields = {
  product_id: 1.5,
  count: 1.5,
  day: 'no such value',
}
