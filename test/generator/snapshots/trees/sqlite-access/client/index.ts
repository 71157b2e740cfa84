import { createAuth } from './auth.js'
import type { CountryApi } from './country.api.js'
import { type ClientOptions, createSend } from './http.js'
import type { MemoApi } from './memo.api.js'
import type { OrderApi } from './order.api.js'
import type { OrderLineApi } from './order-line.api.js'
import type { ParcelApi } from './parcel.api.js'
import type { ReportApi } from './report.api.js'
import { createResource } from './resource.js'
import type { SectionApi } from './section.api.js'
import { createUploads } from './uploads.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    auth: createAuth(send),
    uploads: createUploads(send),
    countries: createResource<CountryApi>(send, '/api/v1/countries'),
    orders: createResource<OrderApi>(send, '/api/v1/orders'),
    orderLines: createResource<OrderLineApi>(send, '/api/v1/order-lines'),
    parcels: createResource<ParcelApi>(send, '/api/v1/parcels'),
    memos: createResource<MemoApi>(send, '/api/v1/memos'),
    reports: createResource<ReportApi>(send, '/api/v1/reports'),
    sections: createResource<SectionApi>(send, '/api/v1/sections'),
  }
}
