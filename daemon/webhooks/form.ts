import type { IncomingHttpHeaders } from 'node:http'
import { DaemonError } from '../errors.ts'
import { header } from './signature.ts'

/** Returns true if the body is a form: GitHub's default content type. */
export function isForm(headers: IncomingHttpHeaders): boolean {
  return header(headers, 'content-type').startsWith('application/x-www-form-urlencoded')
}

/** Returns the JSON of the form's field `payload`. */
export function formPayload(rawBody: Buffer): Buffer {
  const payload = new URLSearchParams(rawBody.toString('utf8')).get('payload')
  if (payload === null) throw new DaemonError('bad-request', 'the form has no field "payload"')
  return Buffer.from(payload)
}
