import * as z from 'zod'
import { type Access, pathOf, type RouteRecord } from './route.ts'
import { routes } from './routes.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the route table; `version` is the daemon's. */
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
      responses: { error: { description: 'What went wrong', content: json(errorReference) } },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const errorReference = { $ref: '#/components/schemas/error' }
const errorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'A sentence a person can act on' },
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
      return 'Needs no credential.'
    case 'token':
      return `Needs a token of the role ${access.role} or above.`
    case 'master':
      return 'Needs the master token.'
    case 'signature':
      return 'Needs the signature of the git host.'
    case 'bootstrap':
      return 'Needs no credential while the token is the daemon’s own, from its own machine.'
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
  const entries = Object.entries(responses).map(([status, answer]) => {
    const description = descriptions[status] ?? 'Done'
    if (answer === null) return [status, { description }]
    if (typeof answer === 'string') return [status, { description, content: { [answer]: {} } }]
    return [status, { description, content: json(jsonSchema(answer, 'output')) }]
  })
  return Object.fromEntries(entries)
}

const descriptions: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; not done yet',
  204: 'Done',
  304: 'Not changed',
  422: 'It was tried and can not be done; the reason is in the sentence',
  503: 'A page that waits until the environment is awake',
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** The wire form of a schema. Texts of paths and queries say in their `wire` what they stand for. */
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
