import * as z from 'zod'
import type { ApiDoc, Json } from './openapi.js'

interface Crud {
  /** The URL of the collection, as `/api/v1/users`. */
  path: string
  /** How sentences name one and many. */
  one: string
  many: string
  /** The name of the record's schema, as `User`; the bodies' are derived from it. */
  schema: string
  create: z.ZodObject
  update: z.ZodObject
  reply: z.ZodObject
  list: z.ZodObject
  readOnly: readonly string[]
  /** Fields no two records share a value of. */
  unique: readonly string[]
  /** A record that is read alone, where that tells more. */
  details?: z.ZodObject
  /** What a list can be narrowed to. */
  filters?: z.ZodObject
  /** A body refers to other records. */
  refers?: boolean
  /** It stays while other records refer to it. */
  isHeld?: boolean
  /** Which routes need a credential. */
  protect?: 'write' | 'all'
  /** Only its owner may change a record. */
  isOwned?: boolean
}

/** The document of the five routes of a collection, from the schemas that parse its requests. */
export function crudDoc({
  path,
  one,
  many,
  schema,
  create,
  update,
  reply,
  list,
  readOnly,
  unique,
  details,
  filters,
  refers = false,
  isHeld = false,
  protect,
  isOwned = false,
}: Crud): ApiDoc {
  const found = details ? `${schema}Details` : schema
  const reading = protect === 'all' ? secured : open
  const writing = protect ? secured : open
  const forbidden = isOwned && { 403: failure('The record of somebody else') }
  const absent = refers && { 404: failure('What it refers to is not there') }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
  const conflict = unique.length > 0 && { 409: failure(`Taken: ${unique.join(', ')}`) }
  return {
    paths: {
      [path]: {
        get: {
          summary: `List ${many}, newest first`,
          operationId: `list${schema}`,
          parameters: [...pageParameters, ...(filters ? filterParameters(filters) : [])],
          ...reading.route,
          responses: {
            200: answer(jsonSchema(list)),
            400: failure('A bad query'),
            ...reading.failures,
          },
        },
        post: {
          summary: `Create ${one}`,
          operationId: `create${schema}`,
          ...writing.route,
          requestBody: body(`Create${schema}Body`),
          responses: {
            201: answer(reference(schema)),
            ...bodyFailures,
            ...writing.failures,
            ...absent,
            ...conflict,
          },
        },
      },
      [`${path}/{id}`]: {
        parameters: [id],
        get: {
          summary: `Get ${one}`,
          operationId: `get${schema}`,
          ...reading.route,
          responses: { 200: answer(reference(found)), ...idFailures, ...reading.failures },
        },
        put: {
          summary: `Change fields of ${one}; what is not sent stays`,
          operationId: `update${schema}`,
          ...writing.route,
          requestBody: body(`Update${schema}Body`),
          responses: {
            200: answer(reference(schema)),
            ...idFailures,
            ...bodyFailures,
            ...writing.failures,
            ...forbidden,
            ...conflict,
          },
        },
        delete: {
          summary: `Delete ${one}`,
          operationId: `delete${schema}`,
          ...writing.route,
          responses: {
            204: { description: 'Deleted' },
            ...idFailures,
            ...writing.failures,
            ...forbidden,
            ...(isHeld && { 409: failure('Others refer to it') }),
          },
        },
      },
    },
    schemas: {
      [schema]: jsonSchema(reply),
      ...(details && { [found]: jsonSchema(details) }),
      [`Create${schema}Body`]: accepting(jsonSchema(create), readOnly),
      [`Update${schema}Body`]: { ...accepting(jsonSchema(update), readOnly), minProperties: 1 },
    },
  }
}

const pageParameters = [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  {
    name: 'page_size',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
]

/** What a route says that needs no credential, and one that does. */
const open = { route: {}, failures: {} }
const secured = {
  route: { security: [{ bearerAuth: [] }] },
  failures: { 401: failure('No token, or one that is not valid') },
}

/** The types that the texts of a query become. */
function filterParameters(filters: z.ZodObject): Json[] {
  const { properties = {} } = z.toJSONSchema(filters, { io: 'output' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

const idFailures = { 400: failure('A bad id'), 404: failure('No such record') }

const bodyFailures = {
  400: failure('A bad body'),
  413: failure('A body that is too large'),
  415: failure('A body that is not JSON'),
}

function failure(description: string): Json {
  return { description, content: { 'application/json': { schema: reference('error') } } }
}

function answer(schema: Json): Json {
  return { description: 'Done', content: { 'application/json': { schema } } }
}

function body(schema: string): Json {
  return { required: true, content: { 'application/json': { schema: reference(schema) } } }
}

function reference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}

/** A body schema that lets a record's read-only fields through. */
function accepting(schema: Json, readOnly: readonly string[]): Json {
  const ignored = readOnly.map((name) => [name, { readOnly: true, description: 'ignored' }])
  return {
    ...schema,
    properties: { ...(schema.properties as Json), ...Object.fromEntries(ignored) },
  }
}

/** The wire form of a schema: what goes in, before any transform. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
