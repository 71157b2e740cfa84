import type { OrderLineApi } from '../../client/order-line.api.js'
import type { Repositories } from '../../src/container.js'
import type { OrderLine } from '../../src/domain/order-line.js'
import type { User } from '../../src/domain/user.js'
import { createOrderLineBody } from '../../src/handlers/order-line.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedOrder } from './order.sample.js'

export type OrderLineRefs = Awaited<ReturnType<typeof seedOrderLineRefs>>

/** Creates the records that samples refer to. */
export async function seedOrderLineRefs(repositories: Repositories, user?: User) {
  return {
    order: await seedOrder(repositories, user),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function orderLineSample(n: number, refs: OrderLineRefs): OrderLineApi['create'] {
  return {
    order_id: refs.order.id,
    count: 1 + n,
  }
}

/** Returns a sample as a draft for the repository. */
export function orderLineDraft(n: number, refs: OrderLineRefs) {
  const draft = camelKeys(createOrderLineBody.parse(orderLineSample(n, refs)))
  return draft
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedOrderLine(repositories: Repositories, user?: User): Promise<OrderLine> {
  const refs = await seedOrderLineRefs(repositories, user)
  const createdAt = new Date()
  return repositories.orderLines.create({
    ...orderLineDraft(++lastSeed, refs),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badOrderLineFields = {
  order_id: 1.5,
  count: 1.5,
}
