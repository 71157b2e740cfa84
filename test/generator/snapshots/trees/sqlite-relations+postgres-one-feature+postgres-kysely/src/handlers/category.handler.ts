import { type RequestHandler, Router } from 'express'
import { methodNotAllowed } from '../http/errors.js'
import { ifMatch, sendRecord } from '../http/etag.js'
import { jsonBody, parseBody, parseChanges, parseId } from '../http/parse.js'
import type { CategoryService } from '../use-cases/category.service.js'
import {
  categoryList,
  createCategoryBody,
  readOnly,
  toWire,
  updateCategoryBody,
} from './category.schema.js'

export function createCategoryRouter(service: CategoryService): Router {
  const router = Router()

  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseChanges(updateCategoryBody, readOnly, req)
    const updated = await service.update(parseId(req), changes, ifMatch(req, toWire))
    sendRecord(res, toWire(updated))
  }

  router
    .route('/')
    .get(async (req, res) => {
      const query = categoryList.parse(req)
      res.json(categoryList.answer(query, await service.list(query), toWire))
    })
    .post(jsonBody, async (req, res) => {
      const created = await service.create(parseBody(createCategoryBody, readOnly, req))
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
