import { Router } from 'express'
import type { Container } from './container.js'
import { createCategoryRouter } from './handlers/category.handler.js'
import { categoryDoc } from './handlers/category.schema.js'
import { createLabelRouter } from './handlers/label.handler.js'
import { labelDoc } from './handlers/label.schema.js'
import { createOrderLineRouter } from './handlers/order-line.handler.js'
import { orderLineDoc } from './handlers/order-line.schema.js'
import { createProductRouter } from './handlers/product.handler.js'
import { productDoc } from './handlers/product.schema.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const api = Router()
  api.use('/labels', createLabelRouter(container.labels))
  api.use('/categories', createCategoryRouter(container.categories))
  api.use('/products', createProductRouter(container.products))
  api.use('/order-lines', createOrderLineRouter(container.orderLines))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [labelDoc, categoryDoc, productDoc, orderLineDoc]
