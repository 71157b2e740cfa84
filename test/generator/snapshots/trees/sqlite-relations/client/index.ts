import type { CategoryApi } from '../src/handlers/category.schema.js'
import type { LabelApi } from '../src/handlers/label.schema.js'
import type { OrderLineApi } from '../src/handlers/order-line.schema.js'
import type { ProductApi } from '../src/handlers/product.schema.js'
import { type ClientOptions, createSend } from './http.js'
import { createResource } from './resource.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API, typed by the app's own schemas. Runs in Node and in browsers. */
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
