import { type RequestHandler, Router } from 'express'
import { methodNotAllowed } from '../http/errors.js'
import { ifMatch, sendRecord } from '../http/etag.js'
import { jsonBody, parseBody, parseChanges, parseId } from '../http/parse.js'
import type { TagService } from '../use-cases/tag.service.js'
import { createTagBody, readOnly, tagList, toWire, updateTagBody } from './tag.schema.js'

export function createTagRouter(service: TagService): Router {
  const router = Router()

  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseChanges(updateTagBody, readOnly, req)
    const updated = await service.update(parseId(req), changes, ifMatch(req, toWire))
    sendRecord(res, toWire(updated))
  }

  router
    .route('/')
    .get(async (req, res) => {
      const query = tagList.parse(req)
      res.json(tagList.answer(query, await service.list(query), toWire))
    })
    .post(jsonBody, async (req, res) => {
      const created = await service.create(parseBody(createTagBody, readOnly, req))
      sendRecord(res.status(201).location(`${req.baseUrl}/${created.id}`), toWire(created))
    })
    .all(methodNotAllowed)

  router
    .route('/:id')
    .get(async (req, res) => {
      sendRecord(res, toWire(await service.find(parseId(req))))
    })
    .put(jsonBody, update)
    .patch(jsonBody, update)
    .delete(async (req, res) => {
      await service.remove(parseId(req), ifMatch(req, toWire))
      res.status(204).end()
    })
    .all(methodNotAllowed)

  return router
}
