import type { RequestHandler } from 'express'
import { AppError } from '../domain/app-error.js'

/** As images are named when they are saved. */
const name = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:jpe?g|png|gif)$/i

/** No two files ever have one name. */
const options = { immutable: true, maxAge: '1y' }

const ofFiles = ['Accept-Ranges', 'Cache-Control', 'Content-Type', 'ETag', 'Last-Modified']

/** Answers with the file of the path's `:name` in `folder`, an absolute path. */
export function serveUploads(folder: string): RequestHandler<{ name: string }> {
  return (req, res, next) => {
    if (!name.test(req.params.name)) throw absent()
    res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {
      if (!error || res.headersSent || res.destroyed) return
      // They were the file's, and an error is no file.
      for (const header of ofFiles) res.removeHeader(header)
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
