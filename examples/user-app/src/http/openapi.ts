import * as z from 'zod'

/** A JSON object of the OpenAPI document. */
export type Json = Record<string, unknown>

/** The paths of one feature. */
export type ApiDoc = Json

/** Schemas with a name in the document: other schemas and operations refer to them by `$ref`. */
export const components = z.registry<{ id: string }>()

/** Responses by status, besides success. An operation lists the statuses that it can have. */
const descriptions = {
  304: 'The client has the current version',
  400: 'A parameter or a field is invalid',
  401: 'The credentials are missing or wrong',
  404: 'The record, or a record that it refers to, does not exist',
  409: 'A unique value is taken, or other records refer to the record',
  412: 'The record has changed',
  413: 'The body is too large',
  415: 'The body is not JSON',
  500: 'The app failed',
  503: 'The store does not answer, or too many requests wait',
}

export type Status = keyof typeof descriptions

interface Operation {
  id: string
  tag: string
  summary: string
  parameters?: readonly Json[]
  body?: z.ZodType
  /** Status of the success, 200 if absent, and the schema or the media types of its body, if any. */
  status?: number
  reply?: z.ZodType | Json
  /** Further statuses. All operations have 500 and 503; a body adds 400, 413 and 415, and a token 401. */
  statuses?: readonly Status[]
  token?: boolean
  /** Whether the response has the ETag of a record. */
  hasEtag?: boolean
}

/** Documents an operation. The schemas must be in `components`. */
export function operation({
  id,
  tag,
  body,
  status = 200,
  reply,
  statuses = [],
  token,
  hasEtag,
  ...rest
}: Operation): Json {
  const headers = hasEtag && { headers: { ETag: { schema: { type: 'string' } } } }
  const ofBody: Status[] = body ? [400, 413, 415] : []
  const ofToken: Status[] = token ? [401] : []
  const others = [...ofBody, ...ofToken, ...statuses, 500, 503] as const
  return {
    operationId: id,
    tags: [tag],
    ...rest,
    ...(token && { security: [{ bearerAuth: [] }] }),
    ...(body && { requestBody: { required: true, ...contentOf(body) } }),
    responses: {
      [status]: { description: 'Success', ...headers, ...(reply && contentOf(reply)) },
      ...Object.fromEntries(others.map((each) => [each, responseOf(each)])),
    },
  }
}

export function createOpenApi(title: string, docs: readonly ApiDoc[]): Json {
  const { schemas } = z.toJSONSchema(components, { io: 'input', uri: uriOf })
  for (const schema of Object.values(schemas)) {
    delete schema.$id
    delete schema.$schema
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: Object.assign({ '/health': health, '/ready': ready }, ...docs),
    components: {
      schemas,
    },
  }
}

const errorReply = z
  .strictObject({
    error: z.string(),
    details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  })
  .register(components, { id: 'error' })

const healthReply = z
  .strictObject({ status: z.literal('ok'), timestamp: z.iso.datetime() })
  .register(components, { id: 'health' })

const health = {
  get: {
    operationId: 'checkHealth',
    tags: ['health'],
    summary: 'Check that the app responds',
    responses: { 200: { description: 'Success', ...contentOf(healthReply) } },
  },
}

const readyReply = z
  .strictObject({ status: z.literal('ready') })
  .register(components, { id: 'readiness' })

const ready = {
  get: operation({
    id: 'checkReadiness',
    tag: 'health',
    summary: 'Check that the store answers',
    reply: readyReply,
  }),
}

function responseOf(status: Status): Json {
  const description = descriptions[status]
  return status < 400 ? { description } : { description, ...contentOf(errorReply) }
}

function contentOf(body: z.ZodType | Json): Json {
  if (!(body instanceof z.ZodType)) return { content: body }
  const name = components.get(body)?.id
  if (!name) throw new Error('register the schema in `components`')
  return { content: { 'application/json': { schema: { $ref: uriOf(name) } } } }
}

function uriOf(name: string): string {
  return `#/components/schemas/${name}`
}
