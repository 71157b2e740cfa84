import { Router } from 'express'
import type { Container } from './container.js'
import { createNoteRouter } from './handlers/note.handler.js'
import { noteDoc } from './handlers/note.schema.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const api = Router()
  api.use('/notes', createNoteRouter(container.notes))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [noteDoc]
