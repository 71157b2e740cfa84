import { createHash } from 'node:crypto'
import { type Exchange, type Json, Refusal } from './exchange.ts'

/** Returns the ETag of a post, and of its comments if they are given. Views do not count. */
export function etagOf({ is }: Exchange, post: Json, comments?: readonly Json[]): string {
  const { views, ...version } = post
  const digests = [is('etag-counts-views') ? post : version, ...(comments ? [comments] : [])]
  return `"${digests.map((part) => sha1(JSON.stringify(part))).join('.')}"`
}

/** Throws unless `If-Match` has the version of the post. */
export function assertMatch(exchange: Exchange, post: Json): void {
  const { req, is } = exchange
  const header = req.headers['if-match']
  if (header === undefined || header === '*' || is('if-match-ignored')) return
  const own = etagOf(exchange, post).slice(0, -1)
  const known = header.split(/,\s*/)
  const tags = is('weak-matches') ? known.map((tag) => tag.replace(/^W\//, '')) : known
  if (!tags.some((tag) => tag.startsWith(own))) throw new Refusal(412, 'the record has changed')
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
