import type { RequestHandler } from 'express'
import { AppError } from '../domain/app-error.js'

/**
 * File names that createUploads generates. Requests for other names, such as partial files, get
 * 404.
 */
const name = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:jpe?g|png|gif)$/i

/** Names are never reused, so clients may cache a file forever. */
const options = { immutable: true, maxAge: '1y' }

const fileHeaders = ['Accept-Ranges', 'Cache-Control', 'Content-Type', 'ETag', 'Last-Modified']

/** Serves the file `:name` in `folder`, an absolute path. */
export function serveUploads(folder: string): RequestHandler<{ name: string }> {
  return (req, res, next) => {
    if (!name.test(req.params.name)) throw absent()
    res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {
      if (!error || res.headersSent || res.destroyed) return
      // sendFile has already set the file's headers, which are wrong for an error response.
      for (const header of fileHeaders) res.removeHeader(header)
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
