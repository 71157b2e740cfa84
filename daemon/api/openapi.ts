import * as z from 'zod'
import { type Access, pathOf, type RouteRecord } from './route.ts'
import { routes } from './route-table.ts'

type Json = Record<string, unknown>

/** Creates the OpenAPI 3.1 document of the route table. `version` is the version of the daemon. */
export function createOpenApi(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[pathOf(route)] = {
      ...paths[pathOf(route)],
      [route.method.toLowerCase()]: operation(route),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'stratad',
      version,
      description: 'Deploys branches of git repositories, puts them to sleep and wakes them.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { error: errorSchema },
      responses: { error: { description: 'Error', content: json(errorReference) } },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const errorReference = { $ref: '#/components/schemas/error' }
const errorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'The reason and what to do next' },
    request_id: { type: 'string' },
  },
  required: ['error'],
}

function operation(route: RouteRecord): Json {
  const parameters = [...parametersOf('path', route.params), ...parametersOf('query', route.query)]
  return {
    operationId: route.name,
    summary: route.summary,
    description: accessText(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...(needsToken(route.access) ? { security: [{ bearer: [] }] } : { security: [] }),
    ...requestBody(route),
    responses: { ...responsesOf(route), default: { $ref: '#/components/responses/error' } },
  }
}

function needsToken({ kind }: Access): boolean {
  return kind === 'token' || kind === 'master'
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'open':
      return 'Needs no token.'
    case 'token':
      return `Needs a token with the role ${access.role} or higher.`
    case 'master':
      return 'Needs the master token.'
    case 'signature':
      return 'Needs a signature of the git host.'
    case 'bootstrap':
      return 'Needs no token from the machine of the daemon, if the daemon generated the master token.'
  }
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const isOptional = (field as z.ZodType).safeParse(undefined).success
    return {
      name,
      in: place,
      required: place === 'path' || !isOptional,
      schema: jsonSchema(field as z.ZodType, 'input'),
    }
  })
}

function requestBody({ body, raw }: RouteRecord): Json {
  if (body) return { requestBody: { required: true, content: json(jsonSchema(body, 'input')) } }
  if (!raw || raw.limitBytes === 0) return {}
  const schema = raw.media === 'application/json' ? { type: 'object' } : {}
  return { requestBody: { required: true, content: { [raw.media]: { schema } } } }
}

function responsesOf({ responses }: RouteRecord): Json {
  const entries = Object.entries(responses).map(([status, response]) => {
    const description = descriptions[status] ?? 'Done'
    if (response === null) return [status, { description }]
    if (typeof response === 'string') return [status, { description, content: { [response]: {} } }]
    return [status, { description, content: json(jsonSchema(response, 'output')) }]
  })
  return Object.fromEntries(entries)
}

const descriptions: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted, not finished',
  204: 'Done',
  304: 'Not modified',
  422: 'Failed; `error` has the reason',
  503: 'A page that reloads until the environment is awake',
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** Converts a schema. A schema of a path or query parameter states its parsed type in the metadata `wire`. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ zodSchema, jsonSchema }) {
      const wire = z.globalRegistry.get(zodSchema)?.wire
      if (!wire) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, wire)
    },
  })
  return rest
}
