import { Router } from 'express'
import type { Container } from './container.js'
import { createBlogPostRouter } from './handlers/blog-post.handler.js'
import { blogPostDoc } from './handlers/blog-post.schema.js'
import { createPersonRouter } from './handlers/person.handler.js'
import { personDoc } from './handlers/person.schema.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const api = Router()
  api.use('/blog-posts', createBlogPostRouter(container.blogPosts))
  api.use('/people', createPersonRouter(container.people))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [blogPostDoc, personDoc]
