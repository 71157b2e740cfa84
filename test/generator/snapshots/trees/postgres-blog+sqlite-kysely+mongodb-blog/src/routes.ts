import { Router } from 'express'
import type { Container } from './container.js'
import { createAuthRouter } from './handlers/auth.handler.js'
import { authDoc } from './handlers/auth.schema.js'
import { createCommentRouter } from './handlers/comment.handler.js'
import { commentDoc } from './handlers/comment.schema.js'
import { createPostRouter } from './handlers/post.handler.js'
import { postDoc } from './handlers/post.schema.js'
import { createTagRouter } from './handlers/tag.handler.js'
import { tagDoc } from './handlers/tag.schema.js'
import { createUploadRouter } from './handlers/upload.handler.js'
import { uploadDoc } from './handlers/upload.schema.js'
import { createRequireCaller } from './http/auth.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const requireCaller = createRequireCaller(container.auth.authenticate)
  const api = Router()
  api.use('/auth', createAuthRouter(container.auth, requireCaller))
  api.use('/uploads', createUploadRouter(container.uploads, requireCaller))
  api.use('/tags', createTagRouter(container.tags))
  api.use('/posts', createPostRouter(container.posts, requireCaller))
  api.use('/comments', createCommentRouter(container.comments, requireCaller))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [authDoc, uploadDoc, tagDoc, postDoc, commentDoc]
