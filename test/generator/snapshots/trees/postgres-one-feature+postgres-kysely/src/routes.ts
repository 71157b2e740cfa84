import { Router } from 'express'
import type { Container } from './container.js'
import { createCategoryRouter } from './handlers/category.handler.js'
import { categoryDoc } from './handlers/category.schema.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const api = Router()
  api.use('/categories', createCategoryRouter(container.categories))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [categoryDoc]
