import { type RequestHandler, type Response, Router } from 'express'
import type { Post } from '../domain/post.js'
import { callerOf } from '../http/auth.js'
import { methodNotAllowed } from '../http/errors.js'
import { ifMatch, sendRecord } from '../http/etag.js'
import { jsonBody, parseBody, parseChanges, parseId } from '../http/parse.js'
import type { PostService } from '../use-cases/post.service.js'
import {
  createPostBody,
  postList,
  readOnly,
  toWire,
  toWireWithParts,
  updatePostBody,
} from './post.schema.js'

export function createPostRouter(service: PostService, requireCaller: RequestHandler): Router {
  const router = Router()

  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseChanges(updatePostBody, readOnly, req)
    const check = ifMatch(req, toVersion)
    sendPost(res, await service.update(parseId(req), changes, callerOf(res), check))
  }

  router
    .route('/')
    .get(async (req, res) => {
      const query = postList.parse(req)
      res.json(postList.answer(query, await service.list(query), toWire))
    })
    .post(requireCaller, jsonBody, async (req, res) => {
      const created = await service.create(parseBody(createPostBody, readOnly, req), callerOf(res))
      sendPost(res.status(201).location(`${req.baseUrl}/${created.id}`), created)
    })
    .all(methodNotAllowed)

  router
    .route('/:id')
    .get(async (req, res) => {
      const post = await service.find(parseId(req))
      const body = toWireWithParts(post)
      sendRecord(res, body, toVersion(post), withoutViews(body))
    })
    .put(requireCaller, jsonBody, update)
    .patch(requireCaller, jsonBody, update)
    .delete(requireCaller, async (req, res) => {
      await service.remove(parseId(req), callerOf(res), ifMatch(req, toVersion))
      res.status(204).end()
    })
    .all(methodNotAllowed)

  router
    .route('/:id/publish')
    .post(requireCaller, async (req, res) => {
      const check = ifMatch(req, toVersion)
      sendPost(res, await service.publish(parseId(req), callerOf(res), check))
    })
    .all(methodNotAllowed)

  return router
}

function sendPost(res: Response, post: Post): void {
  const version = toVersion(post)
  sendRecord(res, toWire(post), version, version)
}

function toVersion(post: Post): object {
  return withoutViews(toWire(post))
}

/** ETags leave out the views: each read changes them, so no client could send back an ETag that holds. */
function withoutViews({ views: _views, ...body }: { views: number }): object {
  return body
}
