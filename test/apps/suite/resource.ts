import assert from 'node:assert/strict'
import { assertStatus, instantOf, type JsonObject, objectOf } from './answers.ts'
import type { AppUnderTest } from './check.ts'
import { asSent, type FieldRule } from './fields.ts'
import { jsonOf, type Reply, send } from './http.ts'

/** One collection with create, read, list, update and delete, as data. */
export interface Resource {
  /** The key of the list in a response, and the name in titles: `users`. */
  readonly plural: string
  /** `/api/v1/users` */
  readonly path: string
  /** Every key of a record on the wire. */
  readonly keys: readonly string[]
  /** Optional keys of a record. */
  readonly optionalKeys?: readonly string[]
  /** Further keys of a record that is read alone. */
  readonly detailKeys?: readonly string[]
  /** Keys that change with each read; helpers omit them. */
  readonly counters?: readonly string[]
  /** The fields a body may set. */
  readonly fields: readonly FieldRule[]
  /** Names of the unique fields. */
  readonly unique?: readonly string[]
  /** Returns a valid body; another serial gives other values. */
  readonly body: (serial: number) => JsonObject
  /** Creates a caller who may write, and the records that a body refers to. */
  readonly prepare?: (app: AppUnderTest) => Promise<Preparation>
}

/** Result of preparing a resource: headers of requests and a replacement for `body`. */
export interface Preparation {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Resource['body']
}

export interface Stored extends JsonObject {
  readonly id: number
}

export interface Page {
  readonly records: readonly Stored[]
  readonly total: number
}

let serials = 0

/** Returns a valid body that differs from every earlier one. */
export function freshBody(resource: Resource): JsonObject {
  serials += 1
  return resource.body(serials)
}

/** Creates a record from a new valid body; `fields` replace its values. */
export async function create(
  app: AppUnderTest,
  resource: Resource,
  fields: JsonObject = {},
): Promise<Stored> {
  const reply = await post(app, resource, { ...freshBody(resource), ...fields })
  assertStatus(reply, 201)
  return recordOf(resource, reply)
}

/** Reads a record, without the keys that a list omits. */
export async function find(app: AppUnderTest, resource: Resource, id: number): Promise<Stored> {
  const record = await findWhole(app, resource, id)
  return without(record, [...(resource.detailKeys ?? []), ...(resource.counters ?? [])])
}

/** Reads a record with every key. */
export async function findWhole(
  app: AppUnderTest,
  resource: Resource,
  id: number,
): Promise<Stored> {
  const reply = await send(app, { path: `${resource.path}/${id}` })
  assertStatus(reply, 200)
  const keys = [...resource.keys, ...(resource.detailKeys ?? [])]
  return storedOf({ ...resource, keys }, jsonOf(reply), reply.call)
}

export async function update(
  app: AppUnderTest,
  resource: Resource,
  id: number,
  json: JsonObject,
): Promise<Stored> {
  const reply = await put(app, resource, id, json)
  assertStatus(reply, 200)
  return recordOf(resource, reply)
}

/** POSTs any JSON value to the collection and returns any response. */
export function post(app: AppUnderTest, resource: Resource, json: unknown): Promise<Reply> {
  return send(app, { method: 'POST', path: resource.path, json })
}

/** PUTs any JSON value to a record and returns any response. */
export function put(
  app: AppUnderTest,
  resource: Resource,
  id: number,
  json: unknown,
): Promise<Reply> {
  return send(app, { method: 'PUT', path: `${resource.path}/${id}`, json })
}

export function remove(app: AppUnderTest, resource: Resource, id: number): Promise<Reply> {
  return send(app, { method: 'DELETE', path: `${resource.path}/${id}` })
}

/** Keys of a list, next to its records. */
export const pageKeys = ['total', 'page', 'page_size', 'next_cursor'] as const

/** Reads one page of the list; `query` has no question mark and is sent unchanged. */
export async function list(app: AppUnderTest, resource: Resource, query = ''): Promise<Page> {
  const { records, total } = await listPage(app, resource, query)
  return { records, total }
}

/** Reads one page of the list like `list`, with its next cursor. */
export async function listPage(
  app: AppUnderTest,
  resource: Resource,
  query = '',
): Promise<Page & { readonly next: string | null }> {
  const { plural, counters = [] } = resource
  const reply = await send(app, { path: `${resource.path}${query === '' ? '' : `?${query}`}` })
  assertStatus(reply, 200)
  const body = objectOf(jsonOf(reply), reply.call)
  assert.deepEqual(Object.keys(body).sort(), [plural, ...pageKeys].sort(), reply.call)
  const { total, next_cursor: next, [plural]: rows } = body
  assert.ok(Array.isArray(rows), `${reply.call}: ${plural} is no array`)
  assert.ok(Number.isSafeInteger(total) && Number(total) >= 0, `${reply.call}: total ${total}`)
  const records = rows.map((row: unknown) => without(storedOf(resource, row, reply.call), counters))
  if (typeof next === 'string') return { records, total: Number(total), next }
  assert.equal(next, null, `${reply.call}: next_cursor`)
  return { records, total: Number(total), next }
}

/** Returns the record of a response. Throws unless it has exactly the keys of the resource. */
export function recordOf(resource: Resource, reply: Reply): Stored {
  return without(storedOf(resource, jsonOf(reply), reply.call), resource.counters ?? [])
}

/** Returns the fields of a record that a body can set. */
export function writable(resource: Resource, record: JsonObject): JsonObject {
  return Object.fromEntries(
    resource.fields.map((field) => [field.name, asSent(field, record[field.name])]),
  )
}

function storedOf(resource: Resource, value: unknown, call: string): Stored {
  const record = objectOf(value, call)
  const optional = (resource.optionalKeys ?? []).filter((key) => key in record)
  assert.deepEqual(
    Object.keys(record).sort(),
    [...resource.keys, ...optional].sort(),
    `${call}: a record's keys`,
  )
  const { id } = record
  assert.ok(
    typeof id === 'number' && Number.isSafeInteger(id) && id > 0,
    `${call}: the id ${JSON.stringify(id)} is no unsigned integer`,
  )
  const created = instantOf(record.created_at, `${call}: created_at`)
  const updated = instantOf(record.updated_at, `${call}: updated_at`)
  assert.ok(updated >= created, `${call}: updated_at is before created_at`)
  return { ...record, id }
}

function without(record: Stored, keys: readonly string[]): Stored {
  const kept = Object.entries(record).filter(([key]) => !keys.includes(key))
  return { ...Object.fromEntries(kept), id: record.id }
}
