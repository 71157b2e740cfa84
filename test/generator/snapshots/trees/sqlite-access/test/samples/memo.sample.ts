import type { MemoApi } from '../../client/memo.api.js'
import type { Repositories } from '../../src/container.js'
import type { User } from '../../src/domain/user.js'
import { createMemoBody } from '../../src/handlers/memo.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedUser } from '../support/seed-user.js'
import { seedOrder } from './order.sample.js'

export type MemoRefs = Awaited<ReturnType<typeof seedMemoRefs>>

/** Creates the records that samples refer to. */
export async function seedMemoRefs(repositories: Repositories, user?: User) {
  return {
    order: await seedOrder(repositories, user),
    user: user ?? (await seedUser(repositories)),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function memoSample(n: number, refs: MemoRefs): MemoApi['create'] {
  return {
    order_id: refs.order.id,
    text: `text ${n}`,
  }
}

/** Returns a sample as a draft for the repository. */
export function memoDraft(n: number, refs: MemoRefs) {
  const draft = camelKeys(createMemoBody.parse(memoSample(n, refs)))
  return { ...draft, authorId: refs.user.id }
}

/** An invalid value for each field. */
export const badMemoFields = {
  order_id: 1.5,
  text: 1,
}
