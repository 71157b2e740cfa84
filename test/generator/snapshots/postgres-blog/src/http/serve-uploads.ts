import type { RequestHandler } from 'express'
import { AppError } from '../domain/app-error.js'

/** As images are named when they are saved. */
const name = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:jpe?g|png|gif)$/i

/** No two files ever have one name. */
const options = { immutable: true, maxAge: '1y' }

/** Answers with the file of the path's `:name` in `folder`, an absolute path. */
export function serveUploads(folder: string): RequestHandler<{ name: string }> {
  return (req, res, next) => {
    if (!name.test(req.params.name)) throw absent()
    res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {
      if (!error || res.headersSent || res.destroyed) return
      next(isAbsent(error) ? absent() : error)
    })
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404
}

function absent(): AppError {
  return new AppError('not-found', 'no such file')
}
