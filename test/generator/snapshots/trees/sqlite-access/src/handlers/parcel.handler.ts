import { type RequestHandler, Router } from 'express'
import { callerOf } from '../http/auth.js'
import { methodNotAllowed } from '../http/errors.js'
import { ifMatch, sendRecord } from '../http/etag.js'
import { jsonBody, parseBody, parseChanges, parseId } from '../http/parse.js'
import type { ParcelService } from '../use-cases/parcel.service.js'
import {
  createParcelBody,
  parcelList,
  readOnly,
  toWire,
  updateParcelBody,
} from './parcel.schema.js'

export function createParcelRouter(service: ParcelService, requireCaller: RequestHandler): Router {
  const router = Router()

  const update: RequestHandler<{ id: string }> = async (req, res) => {
    const changes = parseChanges(updateParcelBody, readOnly, req)
    const updated = await service.update(parseId(req), changes, callerOf(res), ifMatch(req, toWire))
    sendRecord(res, toWire(updated))
  }

  router
    .route('/')
    .get(requireCaller, async (req, res) => {
      const query = parcelList.parse(req)
      res.json(parcelList.answer(query, await service.list(query, callerOf(res)), toWire))
    })
    .post(requireCaller, jsonBody, async (req, res) => {
      const created = await service.create(
        parseBody(createParcelBody, readOnly, req),
        callerOf(res),
      )
      sendRecord(res.status(201).location(`${req.baseUrl}/${created.id}`), toWire(created))
    })
    .all(methodNotAllowed)

  router
    .route('/:id')
    .get(requireCaller, async (req, res) => {
      sendRecord(res, toWire(await service.find(parseId(req), callerOf(res))))
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
