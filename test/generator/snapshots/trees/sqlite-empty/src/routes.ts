import { Router } from 'express'
import type { Container } from './container.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(_container: Container): Router {
  const api = Router()
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = []
