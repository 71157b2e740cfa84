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
}: Crud): ApiDoc {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
  const conflict = unique.length > 0 && { 409: failure(`Taken: ${unique.join(', ')}`) }
  return {
    paths: {
      [path]: {
        get: {
          summary: `List ${many}, newest first`,
          operationId: `list${schema}`,
          parameters: pageParameters,
          responses: { 200: answer(jsonSchema(list)), 400: failure('A bad query') },
        },
        post: {
          summary: `Create ${one}`,
          operationId: `create${schema}`,
          requestBody: body(`Create${schema}Body`),
          responses: {
            201: answer(reference(schema)),
            ...bodyFailures,
            ...conflict,
          },
        },
      },
      [`${path}/{id}`]: {
        parameters: [id],
        get: {
          summary: `Get ${one}`,
          operationId: `get${schema}`,
          responses: { 200: answer(reference(schema)), ...idFailures },
        },
        put: {
          summary: `Change fields of ${one}; what is not sent stays`,
          operationId: `update${schema}`,
          requestBody: body(`Update${schema}Body`),
          responses: {
            200: answer(reference(schema)),
            ...idFailures,
            ...bodyFailures,
            ...conflict,
          },
        },
        delete: {
          summary: `Delete ${one}`,
          operationId: `delete${schema}`,
          responses: { 204: { description: 'Deleted' }, ...idFailures },
        },
      },
    },
    schemas: {
      [schema]: jsonSchema(reply),
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
