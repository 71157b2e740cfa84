import { Router } from 'express'
import type { Container } from './container.js'
import { createTaskRouter } from './handlers/task.handler.js'
import { taskDoc } from './handlers/task.schema.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const api = Router()
  api.use('/tasks', createTaskRouter(container.tasks))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [taskDoc]
