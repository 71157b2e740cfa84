import type { OrderApi } from '../../client/order.api.js'
import type { Repositories } from '../../src/container.js'
import type { Order } from '../../src/domain/order.js'
import type { User } from '../../src/domain/user.js'
import { createOrderBody } from '../../src/handlers/order.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedUser } from '../support/seed-user.js'
import { seedCountry } from './country.sample.js'

export type OrderRefs = Awaited<ReturnType<typeof seedOrderRefs>>

/** Creates the records that samples refer to. */
export async function seedOrderRefs(repositories: Repositories, user?: User) {
  return {
    user: user ?? (await seedUser(repositories)),
    country: await seedCountry(repositories),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function orderSample(n: number, refs: OrderRefs): OrderApi['create'] {
  return {
    note: `note ${n}`,
    country_id: refs.country.id,
  }
}

/** Returns a sample as a draft for the repository. */
export function orderDraft(n: number, refs: OrderRefs) {
  const draft = camelKeys(createOrderBody.parse(orderSample(n, refs)))
  return { ...draft, customerId: refs.user.id }
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedOrder(repositories: Repositories, user?: User): Promise<Order> {
  const refs = await seedOrderRefs(repositories, user)
  const createdAt = new Date()
  return repositories.orders.create({
    ...orderDraft(++lastSeed, refs),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badOrderFields = {
  note: 1,
  country_id: 1.5,
}
