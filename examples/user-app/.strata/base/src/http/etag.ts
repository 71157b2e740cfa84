import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import { AppError } from '../domain/app-error.js'
import type { Check } from '../repositories/repository.js'

/**
 * Sends a record as JSON with an ETag, or 304 if `If-None-Match` has the ETag. Express would ignore the header in
 * requests of `fetch`, which adds `Cache-Control: no-cache`.
 *
 * The ETag has the digest of `version`, which only a write of the record changes, and then that of `covered` if it
 * differs. Both are the body, unless the body has parts of the record or values that change with each read.
 */
export function sendRecord(res: Response, body: object, version = body, covered = body): void {
  const text = JSON.stringify(body)
  const digests = [...new Set([version, covered])].map((part) =>
    digest(part === body ? text : JSON.stringify(part)),
  )
  const etag = `"${digests.join('.')}"`
  res.set('ETag', etag)
  if (isKnown(res.req, etag)) res.status(304).end()
  else res.type('json').send(text)
}

function isKnown({ method, headers }: Request, etag: string): boolean {
  const known = headers['if-none-match']
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  return known.trim() === '*' || known.includes(etag)
}

/**
 * Returns the check of `If-Match`, undefined without the header. The check throws AppError `changed` if the client has
 * not read the stored version of the record.
 */
export function ifMatch<Row>(
  req: Request,
  toVersion: (row: Row) => object,
): Check<Row> | undefined {
  const header = req.get('if-match')
  if (header === undefined || header.trim() === '*') return undefined
  // Weak ETags never match. A write does not change what the digest after the dot covers.
  const known = [...header.matchAll(/(?<!W\/)"([^".]*)[^"]*"/g)].map(([, version]) => version)
  return (row) => {
    if (known.includes(digest(JSON.stringify(toVersion(row))))) return
    throw new AppError('changed', 'the record has changed')
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
