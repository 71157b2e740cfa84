import { Router } from 'express'
import type { Container } from './container.js'
import type { ApiDoc } from './http/openapi.js'

/** What stands under /api/v1. */
export function createRoutes(_container: Container): Router {
  const api = Router()
  return api
}

/** The same, for /openapi.json. */
export const apiDocs: ApiDoc[] = []
