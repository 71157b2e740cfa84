import { Router } from 'express'
import type { Container } from './container.js'
import { createUserRouter } from './handlers/user.handler.js'
import { userDoc } from './handlers/user.schema.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const api = Router()
  api.use('/users', createUserRouter(container.users))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [userDoc]
