import * as z from 'zod'
import { type ApiDoc, components, type Json, operation, type Status } from './openapi.js'

interface Crud {
  /** Path of the collection, for example `/api/v1/users`. */
  path: string
  /** Singular and plural, for summaries. */
  one: string
  many: string
  /** Name of the record's schema, for example `User`. Other schemas derive their names from it. */
  schema: string
  create: z.ZodObject
  update: z.ZodObject
  reply: z.ZodObject
  list: z.ZodObject
  /** Query parameters of a list. */
  parameters: z.ZodObject
  /** Schema of a single record, if it has more fields than one in a list. */
  details?: z.ZodObject
  readOnly: readonly string[]
  /** Statuses that not every collection has. */
  statuses: Record<'create' | 'update' | 'remove', readonly Status[]>
  /** Routes that need a token: writes, or all. */
  protect?: 'write' | 'all'
}

/** Documents the routes of a collection with the schemas that parse its requests. */
export function docOf({ path, one, many, schema, statuses, protect, ...schemas }: Crud): ApiDoc {
  const { create, update, reply, list, details = reply, parameters, readOnly } = schemas
  const name = (id: string, named: z.ZodObject) => named.register(components, { id })
  name(schema, reply)
  if (details !== reply) name(`${schema}Details`, details)
  const created = accepting(create, readOnly)
  const changed = accepting(update, readOnly).meta({
    anyOf: Object.keys(update.shape).map((field) => ({ required: [field] })),
  })
  const read = { tag: many, token: protect === 'all' }
  const write = { tag: many, token: protect !== undefined }
  const change = {
    ...write,
    summary: `Change fields of ${one}; absent fields stay unchanged`,
    body: name(`Update${schema}Body`, changed),
    parameters: [ifMatch],
    reply,
    hasEtag: true,
    statuses: [404, 412, ...statuses.update] as const,
  }
  return {
    [path]: {
      get: operation({
        ...read,
        id: `list${schema}`,
        summary: `List ${many}, newest first`,
        parameters: queryOf(parameters),
        reply: name(`${schema}List`, list),
        statuses: [400],
      }),
      post: operation({
        ...write,
        id: `create${schema}`,
        summary: `Create ${one}`,
        body: name(`Create${schema}Body`, created),
        status: 201,
        reply,
        hasEtag: true,
        statuses: statuses.create,
      }),
    },
    [`${path}/{id}`]: {
      parameters: [idParameter],
      get: operation({
        ...read,
        id: `get${schema}`,
        summary: `Get ${one}`,
        parameters: [header('If-None-Match', 'ETag of the version that the client has')],
        reply: details,
        hasEtag: true,
        statuses: [304, 400, 404],
      }),
      put: operation({ ...change, id: `update${schema}` }),
      patch: operation({ ...change, id: `patch${schema}` }),
      delete: operation({
        ...write,
        id: `delete${schema}`,
        summary: `Delete ${one}`,
        parameters: [ifMatch],
        status: 204,
        statuses: [400, 404, 412, ...statuses.remove],
      }),
    },
  }
}

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
}

const ifMatch = header('If-Match', 'ETag of the version that the write may change')

function header(name: string, description: string): Json {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

/** Documents parameters by their parsed types (boolean, integer), because a raw query has strings alone. */
function queryOf(parameters: z.ZodObject): Json[] {
  const { properties = {} } = z.toJSONSchema(parameters, {
    io: 'output',
    unrepresentable: 'any',
    // A value that has no schema after its transform, for example a time.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'transform') jsonSchema.type = 'string'
    },
  })
  // A repeated parameter is refused, hence no `explode`.
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    style: 'form',
    explode: false,
    schema,
  }))
}

/** Adds the read-only fields of a record to the schema of a body. The app ignores them. */
function accepting(body: z.ZodObject, readOnly: readonly string[]): z.ZodObject {
  const ignored = z.unknown().optional().meta({ readOnly: true, description: 'Ignored' })
  return body.extend(Object.fromEntries(readOnly.map((name) => [name, ignored])))
}
