import type { estypes } from '@elastic/elasticsearch'
import { isOutageStatus } from './outage.js'
import { unavailable } from './requests.js'

export type Fields = Readonly<Record<string, unknown>>

/** A document with its version. A write of a stale version fails. */
export interface StoredDocument {
  id: string
  fields: Fields
  seqNo: number
  term: number
}

export type Write =
  | { kind: 'create'; id: string; fields: Fields }
  | { kind: 'replace'; stored: StoredDocument; fields: Fields }
  /** Changes these fields, and keeps the others. */
  | { kind: 'change'; stored: StoredDocument; fields: Fields }
  | { kind: 'remove'; stored: StoredDocument }

/** A document in a response of the server, for any kind of request. */
interface DocumentResponse {
  _id?: string
  _source?: Fields
  _seq_no?: number
  _primary_term?: number
}

export function toStored({
  _id = '',
  _source = {},
  _seq_no = 0,
  _primary_term = 0,
}: DocumentResponse): StoredDocument {
  return { id: _id, fields: _source, seqNo: _seq_no, term: _primary_term }
}

export function idOf(write: Write): string {
  return write.kind === 'create' ? write.id : write.stored.id
}

/** Returns the lines of a write in a bulk request. */
export function toOperation(write: Write) {
  const action = { _id: idOf(write) }
  if (write.kind === 'create') return [{ create: action }, write.fields]
  const { seqNo, term } = write.stored
  const versioned = { ...action, if_seq_no: seqNo, if_primary_term: term }
  if (write.kind === 'change') return [{ update: versioned }, { doc: write.fields }]
  return write.kind === 'remove' ? [{ delete: versioned }] : [{ index: versioned }, write.fields]
}

/** Returns the written or removed document, undefined after a version conflict. Throws if the write failed. */
export function toWritten(
  write: Write,
  item?: estypes.BulkResponseItem,
): StoredDocument | undefined {
  if (!item) throw new Error('the server did not answer a write of a bulk request')
  const { status, error } = item
  const isMissing = status === 404 && (!error || error.type === 'document_missing_exception')
  if (status === 409 || isMissing) return undefined
  if (error) throw isOutageStatus(status) ? unavailable(toError(error)) : toError(error)
  const fields = write.kind === 'remove' ? write.stored.fields : write.fields
  return toStored({ ...item, _id: idOf(write), _source: fields })
}

export function toError({ type, reason }: estypes.ErrorCause): Error {
  return new Error(`${type}: ${reason}`)
}
