import { type RequestHandler, Router } from 'express'
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
    const updated = await service.update(parseId(req), changes, callerOf(res), ifMatch(req, toWire))
    sendRecord(res, toWire(updated))
  }

  router
    .route('/')
    .get(async (req, res) => {
      const query = postList.parse(req)
      res.json(postList.answer(query, await service.list(query), toWire))
    })
    .post(requireCaller, jsonBody, async (req, res) => {
      const created = await service.create(parseBody(createPostBody, readOnly, req), callerOf(res))
      sendRecord(res.status(201).location(`${req.baseUrl}/${created.id}`), toWire(created))
    })
    .all(methodNotAllowed)

  router
    .route('/:id')
    .get(async (req, res) => {
      const found = await service.find(parseId(req))
      sendRecord(res, toWireWithParts(found), toWire(found))
    })
    .put(requireCaller, jsonBody, update)
    .patch(requireCaller, jsonBody, update)
    .delete(requireCaller, async (req, res) => {
      await service.remove(parseId(req), callerOf(res), ifMatch(req, toWire))
      res.status(204).end()
    })
    .all(methodNotAllowed)

  return router
}
