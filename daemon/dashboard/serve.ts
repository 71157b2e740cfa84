import type { Request, RequestHandler, Response } from 'express'
import { methodNotAllowed } from '../http/errors.ts'
import { type PageFile, readBuiltPage } from './built-page.ts'
import { placeOf } from './room-paths.ts'

/** Path of the files with a hash in their names. */
const assetsPath = '/assets/'

/**
 * Returns the handler of the dashboard. It answers the paths of the rooms with the page and `/assets/*` with the files
 * of the page, and calls `next` for other paths. `folder` holds the built page.
 */
export function createPages(folder: string): RequestHandler {
  const page = readBuiltPage(folder)
  const refuseMethod = methodNotAllowed('GET, HEAD')
  return (req, res, next) => {
    const isRoom = placeOf(req.path) !== undefined
    const asset = req.path.startsWith(assetsPath)
      ? page?.assets.get(req.path.slice(assetsPath.length))
      : undefined
    if (!isRoom && !asset) next()
    else if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res, next)
    else if (asset) {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      sendFile(req, res, asset)
    } else if (page) {
      res.setHeader('Cache-Control', 'no-cache')
      sendFile(req, res, page.index)
    } else sendAbsence(res)
  }
}

function sendAbsence(res: Response): void {
  res.status(404).setHeader('Content-Type', 'text/plain; charset=utf-8')
  res.end('this stratad has no page: run `npm run build` in its checkout, then restart it\n')
}

/** The page runs its own files only, calls its own origin only, and is never framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function setPolicies(res: Response): void {
  res.setHeader('Content-Security-Policy', contentSecurityPolicy)
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  res.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', 'DENY')
}

function sendFile(req: Request, res: Response, file: PageFile): void {
  setPolicies(res)
  res.setHeader('ETag', file.etag)
  res.setHeader('Vary', 'Accept-Encoding')
  if (isFresh(req.headers['if-none-match'], file.etag)) {
    res.status(304).end()
    return
  }
  const accepted = req.acceptsEncodings()
  const [encoding, bytes] = bestOf(file, accepted)
  if (encoding) res.setHeader('Content-Encoding', encoding)
  res.setHeader('Content-Type', file.type)
  res.setHeader('Content-Length', bytes.length)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

function bestOf(
  { brotli, gzip, bytes }: PageFile,
  accepted: readonly string[],
): [string | undefined, Buffer] {
  if (brotli && accepted.includes('br')) return ['br', brotli]
  if (gzip && accepted.includes('gzip')) return ['gzip', gzip]
  return [undefined, bytes]
}

function isFresh(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
