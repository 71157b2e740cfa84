import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import { AppError } from '../domain/app-error.js'
import type { Check } from '../repositories/repository.js'

/**
 * Sends a record as JSON with an ETag, or 304 if `If-None-Match` has the ETag. Express would ignore the header in
 * requests of `fetch`, which adds `Cache-Control: no-cache`.
 */
export function sendRecord(res: Response, body: object): void {
  const text = JSON.stringify(body)
  const etag = etagOf(text)
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
  // Weak ETags never match.
  const known: string[] = header.match(/(?<!W\/)"[^"]*"/g) ?? []
  return (row) => {
    if (known.includes(etagOf(JSON.stringify(toVersion(row))))) return
    throw new AppError('changed', 'the record has changed')
  }
}

function etagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url')}"`
}
