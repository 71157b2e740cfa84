import * as z from 'zod'
import type { ApiDoc, Json } from './openapi.js'

interface Crud {
  /** Path of the collection, for example `/api/v1/users`. */
  path: string
  /** Singular and plural, for summaries. */
  one: string
  many: string
  /** Name of the record's schema, for example `User`. `CreateUserBody` and `UpdateUserBody` derive from it. */
  schema: string
  create: z.ZodObject
  update: z.ZodObject
  reply: z.ZodObject
  list: z.ZodObject
  readOnly: readonly string[]
  /** Names of the unique fields. */
  unique: readonly string[]
  /** Schema of a single record, if it has more fields than one in a list. */
  details?: z.ZodObject
  /** Names of the fields that sort a list. */
  sortable: readonly string[]
  /** Query parameters that filter a list. */
  filters?: z.ZodObject
  /** Whether bodies have foreign keys. */
  hasReferences?: boolean
  /** Whether references from other records can block a delete. */
  canBlockDelete?: boolean
  /** Routes that need a token: writes, or all. */
  protect?: 'write' | 'all'
  /** Whether only the owner may change a record. */
  isOwned?: boolean
}

/** Documents the five routes of a collection with the schemas that parse its requests. */
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
  sortable,
  filters,
  hasReferences = false,
  canBlockDelete = false,
  protect,
  isOwned = false,
}: Crud): ApiDoc {
  const found = details ? `${schema}Details` : schema
  const reading = protect === 'all' ? secured : open
  const writing = protect ? secured : open
  const forbidden = isOwned && { 403: failure('The caller is not the owner of the record') }
  const absent = hasReferences && { 404: failure('A referenced record does not exist') }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
  const conflict = unique.length > 0 && { 409: failure(`Already taken: ${unique.join(', ')}`) }
  const change = {
    summary: `Change fields of ${one}; absent fields stay unchanged`,
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
  }
  return {
    paths: {
      [path]: {
        get: {
          summary: `List ${many}, newest first`,
          operationId: `list${schema}`,
          parameters: [
            ...pageParameters,
            sortParameter(sortable),
            ...(filters ? filterParameters(filters) : []),
          ],
          ...reading.route,
          responses: {
            200: answer(jsonSchema(list)),
            400: failure('Invalid query parameter'),
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
        put: { operationId: `update${schema}`, ...change },
        patch: { operationId: `patch${schema}`, ...change },
        delete: {
          summary: `Delete ${one}`,
          operationId: `delete${schema}`,
          ...writing.route,
          responses: {
            204: { description: 'Deleted' },
            ...idFailures,
            ...writing.failures,
            ...forbidden,
            ...(canBlockDelete && { 409: failure('Other records refer to the record') }),
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
  {
    name: 'cursor',
    in: 'query',
    description: 'next_cursor of the last page, instead of page',
    schema: { type: 'string' },
  },
]

function sortParameter(names: readonly string[]): Json {
  const field = `-?(${names.join('|')})`
  const description =
    'Fields, each once. A - sorts descending. Ids break ties, in the direction of the first field.'
  const schema = { type: 'string', pattern: `^${field}(,${field})*$` }
  return { name: 'sort', in: 'query', description, schema }
}

/** Parts of a public operation, and of an operation that needs a token. */
const open = { route: {}, failures: {} }
const secured = {
  route: { security: [{ bearerAuth: [] }] },
  failures: { 401: failure('Missing or invalid token') },
}

/** Documents filters by their parsed types (boolean, integer), because a raw query has strings alone. */
function filterParameters(filters: z.ZodObject): Json[] {
  const { properties = {} } = z.toJSONSchema(filters, {
    io: 'output',
    unrepresentable: 'any',
    // A decimal or a time, which has no schema after its transform.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'transform') jsonSchema.type = 'string'
    },
  })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

const idFailures = { 400: failure('Invalid id'), 404: failure('No such record') }

const bodyFailures = {
  400: failure('Invalid body'),
  413: failure('The body is too large'),
  415: failure('The body is not JSON'),
}

function failure(description: string): Json {
  return { description, content: { 'application/json': { schema: reference('error') } } }
}

function answer(schema: Json): Json {
  return { description: 'Success', content: { 'application/json': { schema } } }
}

function body(schema: string): Json {
  return { required: true, content: { 'application/json': { schema: reference(schema) } } }
}

function reference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}

/** Adds a record's read-only fields to a body schema: bodies may have them, and the app ignores them. */
function accepting(schema: Json, readOnly: readonly string[]): Json {
  const ignored = readOnly.map((name) => [name, { readOnly: true, description: 'ignored' }])
  return {
    ...schema,
    properties: { ...(schema.properties as Json), ...Object.fromEntries(ignored) },
  }
}

/** Returns the JSON Schema of a zod schema's input, before any transform. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
