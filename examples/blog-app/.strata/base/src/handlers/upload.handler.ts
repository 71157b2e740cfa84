import { type RequestHandler, Router } from 'express'
import { methodNotAllowed } from '../http/errors.js'
import { type ImageStore, receiveImage } from '../http/receive-image.js'
import { serveUploads } from '../http/serve-uploads.js'
import { toWire } from './upload.schema.js'

export function createUploadRouter(store: ImageStore, requireCaller: RequestHandler): Router {
  const router = Router()

  router
    .route('/')
    .post(requireCaller, async (req, res) => {
      res.json(toWire(await receiveImage(req, res, store)))
    })
    .all(methodNotAllowed)

  return router
}

/** Creates the router that serves the files in `folder`, an absolute path. */
export function createUploadedFileRouter(folder: string): Router {
  const router = Router()
  router.route('/:name').get(serveUploads(folder)).all(methodNotAllowed)
  return router
}
