import type { ParcelApi } from '../../client/parcel.api.js'
import type { Repositories } from '../../src/container.js'
import type { User } from '../../src/domain/user.js'
import { createParcelBody } from '../../src/handlers/parcel.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedOrderLine } from './order-line.sample.js'

export type ParcelRefs = Awaited<ReturnType<typeof seedParcelRefs>>

/** Creates the records that samples refer to. */
export async function seedParcelRefs(repositories: Repositories, user?: User) {
  return {
    orderLine: await seedOrderLine(repositories, user),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function parcelSample(n: number, refs: ParcelRefs): ParcelApi['create'] {
  return {
    order_line_id: refs.orderLine.id,
    code: `code ${n}`,
  }
}

/** Returns a sample as a draft for the repository. */
export function parcelDraft(n: number, refs: ParcelRefs) {
  const draft = camelKeys(createParcelBody.parse(parcelSample(n, refs)))
  return draft
}

/** An invalid value for each field. */
export const badParcelFields = {
  order_line_id: 1.5,
  code: 1,
}
