import { type RequestHandler, Router } from 'express'
import { methodNotAllowed } from '../http/errors.js'
import { ifMatch, sendRecord } from '../http/etag.js'
import { jsonBody, parseBody, parseChanges, parseId } from '../http/parse.js'
import type { ProductService } from '../use-cases/product.service.js'
import {
  createProductBody,
  productList,
  readOnly,
  toWire,
  toWireWithParts,
  updateProductBody,
} from './product.schema.js'

export function createProductRouter(service: ProductService): Router {
  const router = Router()

  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseChanges(updateProductBody, readOnly, req)
    const updated = await service.update(parseId(req), changes, ifMatch(req, toWire))
    sendRecord(res, toWire(updated))
  }

  router
    .route('/')
    .get(async (req, res) => {
      const query = productList.parse(req)
      res.json(productList.answer(query, await service.list(query), toWire))
    })
    .post(jsonBody, async (req, res) => {
      const created = await service.create(parseBody(createProductBody, readOnly, req))
      sendRecord(res.status(201).location(`${req.baseUrl}/${created.id}`), toWire(created))
    })
    .all(methodNotAllowed)

  router
    .route('/:id')
    .get(async (req, res) => {
      const found = await service.find(parseId(req))
      sendRecord(res, toWireWithParts(found), toWire(found))
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
