import type { CategoryApi } from './category.api.js'
import { type ClientOptions, createSend } from './http.js'
import type { LabelApi } from './label.api.js'
import type { OrderLineApi } from './order-line.api.js'
import type { ProductApi } from './product.api.js'
import { createResource } from './resource.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    labels: createResource<LabelApi>(send, '/api/v1/labels'),
    categories: createResource<CategoryApi>(send, '/api/v1/categories'),
    products: createResource<ProductApi>(send, '/api/v1/products'),
    orderLines: createResource<OrderLineApi>(send, '/api/v1/order-lines'),
  }
}
